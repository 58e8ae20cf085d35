-- The epoch of the tenant from which on a version is as it is, at the earliest, so that a server that
-- follows need not read all versions again when one has changed. Whoever changes a row, or when it was
-- in force, writes this with it: the epoch after the present one is above every epoch that anybody has seen.
ALTER TABLE documents ADD COLUMN moved INTEGER NOT NULL DEFAULT 0;

CREATE INDEX documents_moved ON documents (tenant, moved);

CREATE TRIGGER documents_moved_new AFTER INSERT ON documents BEGIN
  UPDATE documents SET moved = (SELECT epoch + 1 FROM tenants WHERE id = NEW.tenant) WHERE row = NEW.row;
END;

CREATE TRIGGER documents_moved_changed AFTER UPDATE ON documents BEGIN
  UPDATE documents SET moved = (SELECT epoch + 1 FROM tenants WHERE id = NEW.tenant) WHERE row = NEW.row;
END;

CREATE TRIGGER documents_moved_opened AFTER INSERT ON in_force BEGIN
  UPDATE documents SET moved = (SELECT epoch + 1 FROM tenants WHERE id = tenant) WHERE row = NEW.document;
END;

CREATE TRIGGER documents_moved_closed AFTER UPDATE ON in_force BEGIN
  UPDATE documents SET moved = (SELECT epoch + 1 FROM tenants WHERE id = tenant) WHERE row IN (OLD.document, NEW.document);
END;

CREATE TRIGGER documents_moved_undone AFTER DELETE ON in_force BEGIN
  UPDATE documents SET moved = (SELECT epoch + 1 FROM tenants WHERE id = tenant) WHERE row = OLD.document;
END;
