//! What `experiment` and `reproduce` share: a bench that shows how far it is.

use tussle_lab::ProgressObserver;

use crate::progress::Progress;

/// Shows the work of a bench on standard error.
#[derive(Default)]
pub(crate) struct Shown {
    progress: Option<Progress>,
}

impl ProgressObserver for Shown {
    fn begin(&mut self, what: &str, weight: u64) {
        self.progress = Some(Progress::weighed(what, weight.max(1)));
    }

    fn done(&mut self, weight: u64, news: &str) {
        if let Some(progress) = &mut self.progress {
            progress.tell(news.to_owned());
            progress.advance(weight);
        }
    }
}
