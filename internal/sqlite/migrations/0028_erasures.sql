-- By a version, the entry that tells of its erasure: whoever holds runs against the ledger asks for it.
CREATE INDEX entries_of_erased ON entries (tenant, body ->> '$.document') WHERE kind = 'document.erased';
