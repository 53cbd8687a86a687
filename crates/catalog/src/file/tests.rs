//! Tests of input and output files.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

use super::*;

/// Temporary folder, removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tussle-file-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn pipe(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let folder = Folder::new("whole");
    let target = folder.path("a.book");
    write(&target, "one").unwrap();
    drop(Draft::new(&target).unwrap()); // not committed
    assert_eq!(fs::read_to_string(&target).unwrap(), "one");
    let mut half = Draft::new(&target).unwrap();
    half.write_all(b"only the first ha").unwrap();
    assert_eq!(folder.names().len(), 2, "the draft has another name");
    drop(half); // its writer failed
    assert_eq!(fs::read_to_string(&target).unwrap(), "one");
    assert_eq!(folder.names(), ["a.book"], "nothing else is left");
    write(&target, [2, 0, 255]).unwrap();
    assert_eq!(fs::read(&target).unwrap(), [2, 0, 255]);
    check_writable(&target).unwrap();
    check_writable(&folder.path("new")).unwrap();
    assert_eq!(folder.names(), ["a.book"], "a check leaves nothing behind");
    for wrong in [folder.0.clone(), folder.path("none/a.book"), folder.path("none/")] {
        assert!(Draft::new(&wrong).is_err(), "{}", wrong.display());
        assert!(check_writable(&wrong).is_err(), "{}", wrong.display());
    }
}

#[test]
fn two_drafts_of_one_file_have_different_temporary_files() {
    let folder = Folder::new("two");
    let target = folder.path("a");
    let [mut one, mut two] = [0, 1].map(|_| Draft::new(&target).unwrap());
    one.write_all(b"one").unwrap();
    two.write_all(b"second").unwrap();
    two.commit().unwrap();
    assert_eq!(fs::read_to_string(&target).unwrap(), "second");
    one.commit().unwrap();
    assert_eq!(fs::read_to_string(&target).unwrap(), "one");
    assert_eq!(folder.names(), ["a"]);
    // A target with a name of maximum length also gets a temporary file.
    let longest = folder.path(&"x".repeat(255));
    write(&longest, "long").unwrap();
    assert_eq!(fs::read_to_string(&longest).unwrap(), "long");
}

#[test]
fn permissions_and_links_are_kept() {
    let folder = Folder::new("links");
    let (target, link, later) = (folder.path("real"), folder.path("link"), folder.path("later"));
    fs::write(&target, "old").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real", &link).unwrap();
    symlink("link", folder.path("chain")).unwrap();
    write(&folder.path("chain"), "new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&target).unwrap(), "new");
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
    symlink("not-yet", &later).unwrap();
    write(&later, "now").unwrap();
    assert!(fs::symlink_metadata(&later).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(folder.path("not-yet")).unwrap(), "now");
    symlink("loop", folder.path("loop")).unwrap();
    assert!(write(&folder.path("loop"), "").is_err());
}

#[test]
fn pipes_and_devices_are_written_in_place() {
    let folder = Folder::new("places");
    write(Path::new("/dev/null"), "gone").unwrap();
    assert!(fs::metadata("/dev/null").is_ok_and(|metadata| !metadata.is_file()));
    let pipe = folder.pipe("pipe");
    check_writable(&pipe).unwrap(); // without waiting for a reader
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    write(&pipe, "through").unwrap();
    assert_eq!(reader.join().unwrap(), "through");
    assert_eq!(folder.names(), ["pipe"]);
    // An open descriptor of a regular file: the open file must keep its name.
    let open = File::create(folder.path("open")).unwrap();
    let descriptor = std::os::fd::AsRawFd::as_raw_fd(&open);
    write(Path::new(&format!("/dev/fd/{descriptor}")), "in place").unwrap();
    assert_eq!(open.metadata().unwrap().len(), 8);
}

#[test]
fn only_regular_files_are_read_and_pipes_are_rejected_at_once() {
    let folder = Folder::new("read");
    let text = folder.path("text");
    fs::write(&text, "a\nb").unwrap();
    assert_eq!(read_text(&text).unwrap(), "a\nb");
    symlink("text", folder.path("link")).unwrap();
    assert_eq!(read_text(&folder.path("link")).unwrap(), "a\nb");
    fs::write(&text, b"a\nb\xff").unwrap();
    let message = |path: &Path| read_text(path).unwrap_err().to_string();
    assert_eq!(message(&text), "the file is not UTF-8 text (line 2)");
    assert_eq!(read_bytes(&text).unwrap(), b"a\nb\xff");
    assert!(message(&folder.path("none")).starts_with("cannot open the file: "));
    assert!(message(&folder.pipe("pipe")).contains("found a pipe; save its content"));
    assert!(message(&folder.0).contains("expected a regular file, found a folder"));
    for device in ["/dev/zero", "/dev/null"] {
        symlink(device, folder.path(&device[5..])).unwrap();
        assert!(message(&folder.path(&device[5..])).contains("found a device"), "{device}");
    }
    // A sparse file: its size is rejected before anything is read.
    let large = File::create(folder.path("large")).unwrap();
    large.set_len(MAX_INPUT_BYTES + 1).unwrap();
    assert_eq!(message(&folder.path("large")), "the file is larger than 256 MB");
}
