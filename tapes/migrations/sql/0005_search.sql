-- Sealing and forgetting one tape stand in one queue, so that no segment made of words from before
-- an erasure can come after it. Appends take no part in it.
CREATE FUNCTION tapes_search_lock(p_tape bigint) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, __SCHEMA__, pg_temp AS $$
    SELECT pg_advisory_xact_lock(hashtextextended('tapes_search:' || p_tape, 0));
$$;

-- Called by erasure inside its own transaction: whatever a segment of this range was made of goes.
CREATE OR REPLACE FUNCTION tapes_forget(p_tape bigint, p_first bigint, p_last bigint)
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, __SCHEMA__, pg_temp AS $$
DECLARE
    v_ids uuid[];
BEGIN
    PERFORM tapes_search_lock(p_tape);
    SELECT array_agg(id) INTO v_ids FROM tapes_searchsegment
    WHERE tape_id = p_tape AND first_seq <= p_last AND last_seq >= p_first;
    DELETE FROM tapes_searchpostings WHERE segment_id = ANY (v_ids);
    DELETE FROM tapes_searchsegment WHERE id = ANY (v_ids);
END $$;

-- What is packed already gains nothing from being packed again.
ALTER TABLE tapes_searchsegment
    ALTER COLUMN dictionary SET STORAGE EXTERNAL, ALTER COLUMN starts SET STORAGE EXTERNAL;
ALTER TABLE tapes_searchpostings ALTER COLUMN postings SET STORAGE EXTERNAL;
