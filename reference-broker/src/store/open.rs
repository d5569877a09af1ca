//! Opening the database: one broker per file, a schema version, and a file that only its owner may read.

use arc_validator::advised;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

const SCHEMA: &str = include_str!("schema.sql");
const SCHEMA_VERSION: i64 = 1;

/// Why a database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another broker has the file.
    #[error("another broker is using the database {}; stop it, or give this one a database of its own", .0.display())]
    InUse(PathBuf),
    /// The file, or the lock file beside it, cannot be opened or created.
    #[error("cannot open {}: {}", path.display(), advised(source))]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// `SQLite` cannot use the file.
    #[error("cannot use {} as a database: {}; {}", path.display(), said(source), way_out(source))]
    Database {
        /// Which file.
        path: PathBuf,
        /// What `SQLite` said.
        source: rusqlite::Error,
    },
    /// A later version of the broker has written the file.
    #[error("the database {} has schema version {found}; this broker knows versions up to {known}; start a newer arc-broker, or name another file with --db", path.display())]
    Newer {
        /// Which file.
        path: PathBuf,
        /// The version that the file has.
        found: i64,
        /// The newest version that this broker knows.
        known: i64,
    },
}

/// What `SQLite` said, without the statement that it was asked.
fn said(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    }
}

/// What to do about a file that `SQLite` cannot use.
fn way_out(error: &rusqlite::Error) -> &'static str {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "name another file with --db: it is left as it was",
        Some(ErrorCode::DatabaseCorrupt) => "bring it back from a copy, or name another file with --db",
        Some(ErrorCode::DiskFull) => "make room on its disk",
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            "check the permissions of the file and its directory"
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => "end the other program that uses it",
        _ => "if another program made it, name another file with --db",
    }
}

/// The database's files, locked for as long as this value lives.
#[derive(Debug)]
pub(crate) struct Files {
    database: PathBuf,
    _lock: File,
}

impl Files {
    /// Takes the lock, creates what is missing (mode 0600) and brings the schema up to date.
    pub(crate) fn open(database: &Path, max_bytes: Option<u64>) -> Result<(Self, Connection), OpenError> {
        let file_error = |path: &Path| {
            let path = path.to_owned();
            move |source| OpenError::File { path, source }
        };
        // SQLite gives its own files beside the database the mode that the database has.
        create(database).map_err(file_error(database))?;
        // One lock per file, whatever name it is called by.
        let database = database.canonicalize().map_err(file_error(database))?;
        let lock = lock(&database)?;
        let connection = migrated(&database)?;
        if let Some(bytes) = max_bytes {
            let source = |source| OpenError::Database { path: database.clone(), source };
            limit(&connection, bytes).map_err(source)?;
        }
        Ok((Self { database, _lock: lock }, connection))
    }

    /// One more connection that can only read.
    pub(crate) fn reader(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.database, flags)?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        keep_plans(&connection)?;
        Ok(connection)
    }
}

fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

/// The lock stands on a file of its own: closing a handle on the database itself would drop SQLite's locks on it.
fn lock(database: &Path) -> Result<File, OpenError> {
    let mut path = database.as_os_str().to_owned();
    path.push(".lock");
    let path = PathBuf::from(path);
    let file = create(&path).map_err(|source| OpenError::File { path: path.clone(), source })?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse(database.to_owned())),
        Err(TryLockError::Error(source)) => Err(OpenError::File { path, source }),
    }
}

fn migrated(path: &Path) -> Result<Connection, OpenError> {
    let database_error = |source| OpenError::Database { path: path.to_owned(), source };
    let mut connection = Connection::open(path).map_err(database_error)?;
    configure(&connection).map_err(database_error)?;
    let found = migrate(&mut connection).map_err(database_error)?;
    if found > SCHEMA_VERSION {
        return Err(OpenError::Newer { path: path.to_owned(), found, known: SCHEMA_VERSION });
    }
    Ok(connection)
}

/// FULL, because a commit is what is acknowledged: it must outlive a power cut, not only a crash of this process.
fn configure(connection: &Connection) -> rusqlite::Result<()> {
    // Short: the writer tries again and counts how often.
    connection.busy_timeout(std::time::Duration::from_millis(100))?;
    connection.set_prepared_statement_cache_capacity(64);
    keep_plans(connection)?;
    // 16 MiB: the upper levels of the indexes of a long history.
    connection.pragma_update(None, "cache_size", -16 * 1_024)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)
}

/// Without this, SQLite prepares a statement anew for each value that is bound to it, in case another plan were better.
fn keep_plans(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(|_| ())
}

fn limit(connection: &Connection, bytes: u64) -> rusqlite::Result<()> {
    let page: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    let pages = i64::try_from(bytes).unwrap_or(i64::MAX) / page;
    connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))
}

/// Brings the schema up to date and returns the version that the file had, or a newer one that it keeps.
fn migrate(connection: &mut Connection) -> rusqlite::Result<i64> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let found = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found == 0 {
        transaction.execute_batch(SCHEMA)?;
        transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    }
    transaction.commit()?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_on_the_disk_when_it_returns() {
        let dir = tempfile::tempdir().unwrap();
        let (files, writer) = Files::open(&dir.path().join("b.db"), None).unwrap();
        let pragma = |name: &str| writer.pragma_query_value(None, name, |row| row.get::<_, String>(0)).unwrap();
        let number = |name: &str| writer.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!(pragma("journal_mode"), "wal");
        // 2 is FULL.
        assert_eq!((number("synchronous"), number("foreign_keys"), number("user_version")), (2, 1, SCHEMA_VERSION));
        assert!(files.reader().unwrap().execute_batch("DELETE FROM events").is_err(), "a reader only reads");
    }
}
