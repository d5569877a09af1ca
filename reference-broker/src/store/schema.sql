-- One row for each life of a key: what a person sees. `seq` is the number that its id begins with, so that neither needs an
-- index of its own. Each index costs every event a write.
CREATE TABLE conditions (
  seq               INTEGER PRIMARY KEY,
  id                TEXT    NOT NULL,
  key               TEXT    NOT NULL,
  sender_id         TEXT    NOT NULL,
  sender_name       TEXT,
  sender_version    TEXT,
  sender_instance   TEXT,
  session_id        TEXT,
  correlation_id    TEXT,
  project           TEXT,
  cwd               TEXT,
  pid               TEXT,
  turn_id           TEXT,
  native_request_id TEXT,
  kind              TEXT    NOT NULL,
  notification_type TEXT,
  title             TEXT,
  message           TEXT    NOT NULL,
  priority          TEXT    NOT NULL,
  outcome           TEXT,
  created_at        INTEGER NOT NULL, -- UTC milliseconds, like every instant here
  updated_at        INTEGER NOT NULL,
  resolved_at       INTEGER,          -- NULL while the condition is active
  life              INTEGER NOT NULL AS (CASE WHEN resolved_at IS NULL THEN 9223372036854775807 ELSE seq END)
) STRICT;

-- The lives of a key, the latest last. Two active ones would share a place: a key has one, whatever happens.
CREATE UNIQUE INDEX conditions_by_key ON conditions (key, life);
CREATE INDEX conditions_by_end ON conditions (resolved_at) WHERE resolved_at IS NOT NULL;

-- One row for each question.
CREATE TABLE questions (
  seq               INTEGER PRIMARY KEY,
  id                TEXT    NOT NULL,
  condition         INTEGER NOT NULL REFERENCES conditions (seq),
  key               TEXT    NOT NULL,
  agent             TEXT    NOT NULL,
  agent_instance    TEXT,
  project           TEXT,
  session_id        TEXT,
  turn_id           TEXT,
  native_request_id TEXT,
  prompt            TEXT    NOT NULL,
  kind              TEXT    NOT NULL,
  choices           TEXT,             -- a JSON array, NULL for a text
  text_max_length   INTEGER,
  expires_at        INTEGER NOT NULL,
  digest            TEXT    NOT NULL,
  nonce             TEXT    NOT NULL,
  status            TEXT    NOT NULL CHECK (status IN ('pending', 'answered', 'expired', 'cancelled', 'superseded')),
  created_at        INTEGER NOT NULL,
  updated_at        INTEGER NOT NULL,
  response_id       TEXT,
  choice_id         TEXT,
  text              TEXT,
  source            TEXT,
  device_id         TEXT,
  answered_at       INTEGER,
  CHECK ((status = 'answered') = (response_id IS NOT NULL)),
  CHECK ((status = 'answered') = (answered_at IS NOT NULL)),
  CHECK ((status = 'answered') = ((choice_id IS NULL) <> (text IS NULL)))
) STRICT;

CREATE INDEX questions_by_condition ON questions (condition);
-- A condition has one open question and one answer, whatever happens.
CREATE UNIQUE INDEX one_open_question ON questions (condition) WHERE status = 'pending';
CREATE UNIQUE INDEX one_answer ON questions (condition) WHERE status = 'answered';
CREATE INDEX questions_by_deadline ON questions (expires_at) WHERE status = 'pending';

-- One row for each accepted event: a second one of the same sender and event_id is a retry, or a fault.
CREATE TABLE events (
  sender_id    TEXT    NOT NULL,
  event_id     TEXT    NOT NULL,
  content      BLOB    NOT NULL, -- SHA-256 of the event's JSON value
  condition    INTEGER NOT NULL,
  question     INTEGER,
  accepted_at  INTEGER NOT NULL,
  PRIMARY KEY (sender_id, event_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX events_by_condition ON events (condition);
