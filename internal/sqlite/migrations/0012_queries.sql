-- Events stay as they were written, but for one thing: what a model asked a tool for may repeat a
-- passage, and goes with the document that it is from.
DROP TRIGGER events_are_fixed;

CREATE TRIGGER events_are_fixed BEFORE UPDATE ON events
WHEN OLD.type <> 'run.tool.started' OR NEW.data <> json_remove(OLD.data, '$.args')
  OR NEW.run <> OLD.run OR NEW.sequence <> OLD.sequence OR NEW.attempt <> OLD.attempt OR NEW.type <> OLD.type OR NEW.time <> OLD.time
BEGIN SELECT RAISE (ABORT, 'events are append-only'); END;
