-- The number of the tenant's vectors from which on those of a version are as they are, or are gone: who
-- knows them as of another number asks for what came after it.
ALTER TABLE documents ADD COLUMN vector_mark INTEGER NOT NULL DEFAULT 0;

CREATE INDEX documents_vectors ON documents (tenant, vector_mark);
