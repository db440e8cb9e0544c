//! The names of modules.

use super::types;
use crate::ir::Service;

/// The modules of the standard library. A generated module of the same name in the import path would be imported
/// instead.
const STANDARD: &str = "\
    abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2 calendar cmath cmd code codecs codeop \
    collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg csv ctypes curses dataclasses \
    datetime dbm decimal difflib dis doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch \
    fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib \
    importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox marshal math mimetypes mmap \
    modulefinder msvcrt multiprocessing netrc nt ntpath nturl2path numbers opcode operator optparse os pathlib pdb pickle \
    pickletools pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pyexpat \
    queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal \
    site smtplib socket socketserver sqlite3 ssl stat statistics string stringprep struct subprocess symtable sys sysconfig \
    syslog tabnanny tarfile tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback \
    tracemalloc tty turtle types typing unicodedata unittest urllib uuid venv warnings wave weakref webbrowser winreg winsound \
    wsgiref xml xmlrpc zipapp zipfile zipimport zlib zoneinfo";

/// The other modules that generated code imports.
const IMPORTED: [&str; 2] = ["smithy_waiters", "typing_extensions"];

/// Returns the name of a service's module.
pub(super) fn of_service(service: &Service<'_>) -> String {
    name(&match service.sdk_id {
        Some(id) => id.to_lowercase().replace([' ', '-'], "_"),
        None => crate::names::snake(service.name),
    })
}

/// Returns a valid module name that doesn't hide another module.
pub(super) fn name(name: &str) -> String {
    let is_module = STANDARD.split_whitespace().any(|module| module == name);
    let is_reserved = is_module || IMPORTED.contains(&name) || types::is_keyword(name);
    let suffix = if is_reserved { "_" } else { "" };
    format!("{name}{suffix}")
}
