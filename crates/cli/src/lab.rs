//! Progress of `experiment` and `reproduce`.

use tussle_lab::ProgressObserver;

use crate::progress::Progress;

/// Shows the progress of an experiment on standard error.
#[derive(Default)]
pub(crate) struct LabProgress {
    progress: Option<Progress>,
}

impl ProgressObserver for LabProgress {
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
