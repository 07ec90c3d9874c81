-- An index of neighbours for one space: an expression, for vectors of spaces differ in length, and
-- partial, so that filters on the space and neighbours go together. Run by the owner's rights: the
-- application's role makes no indexes.
CREATE FUNCTION tapes_order_meaning(p_space bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, __SCHEMA__, pg_temp SET maintenance_work_mem = '256MB' AS $$
DECLARE
    v_numbers integer;
BEGIN
    SELECT dimension INTO STRICT v_numbers FROM tapes_meaningspace WHERE id = p_space;
    EXECUTE format(
        'CREATE INDEX IF NOT EXISTS tapes_meaning_order_%s ON tapes_entryvector'
        ' USING hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops) WHERE space_id = %s',
        p_space, v_numbers, p_space);
END $$;

CREATE FUNCTION tapes_forget_meaning_order(p_space bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, __SCHEMA__, pg_temp AS $$
BEGIN
    EXECUTE format('DROP INDEX IF EXISTS tapes_meaning_order_%s', p_space);
END $$;

-- As in 0005, and the vectors of the erased entries. Whoever writes vectors stands in the same
-- queue, and asks there whether the entries still have their words.
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
    DELETE FROM tapes_entryvector WHERE tape_id = p_tape AND seq BETWEEN p_first AND p_last;
END $$;
