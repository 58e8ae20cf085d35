-- Where a run stands between two steps; only a resume reads it.
ALTER TABLE runs ADD COLUMN checkpoint TEXT NOT NULL DEFAULT '';

-- When the worker of a run last committed a step, and when it was last known to work: the time
-- between the two counts as used if the worker is lost.
ALTER TABLE runs ADD COLUMN committed_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
