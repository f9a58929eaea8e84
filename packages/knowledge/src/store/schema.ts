/** "CpKn": marks the file as an index of ours. */
export const applicationId = 0x43704b6e;
/** An index of another version is made anew: it holds nothing that the files do not. */
export const schemaVersion = 1;

/**
 * `file` has one row per file that was looked at. `words` is full text without the text itself: path, names of symbols,
 * words of the content. `vector` is keyed by content, so that a moved file costs nothing.
 */
export const schema = `
CREATE TABLE file (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  changed_at REAL NOT NULL,
  inode REAL NOT NULL,
  sha256 BLOB,
  content TEXT NOT NULL CHECK (content IN ('text', 'binary', 'too-large', 'unreadable')),
  symbols TEXT NOT NULL,
  mentions BLOB NOT NULL
);
CREATE VIRTUAL TABLE words USING fts5(path, symbols, body, content='', contentless_delete=1, tokenize='ascii');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
CREATE TABLE passage (
  file INTEGER NOT NULL REFERENCES file(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  line INTEGER NOT NULL,
  key BLOB NOT NULL,
  PRIMARY KEY (file, position)
) WITHOUT ROWID;
CREATE TABLE vector (key BLOB PRIMARY KEY, model TEXT NOT NULL, numbers BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE note (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;
