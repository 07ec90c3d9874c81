-- Taking words away for good: the one exception to a tape that nobody can change (T19).
--
-- Refusals beside those of 0001: TP008 no such range, TP009 entries of an open fork, TP010 the
-- tape's rows have left for the archive.

-- What is kept of entries beside them, such as what a search looks at, is forgotten here; whoever
-- keeps more writes this function anew.
CREATE FUNCTION tapes_forget(p_tape bigint, p_first bigint, p_last bigint) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, __SCHEMA__, pg_temp AS 'SELECT';

-- Replaces payloads by the forms given, for seqs inside the range, takes away meta, why and salt,
-- and appends who did it, why, and to what range. Only the owner's role may call it: the tables'
-- own rights are what it runs with.
CREATE FUNCTION tapes_erase(
    p_tape bigint, p_first bigint, p_last bigint, p_seqs bigint[], p_payloads text[],
    p_names text[], p_actor text, p_why text
) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, __SCHEMA__, pg_temp AS $$
DECLARE
    v_tape tapes_tape;
    v_rows bigint;
    v_seq bigint;
BEGIN
    SELECT * INTO v_tape FROM tapes_tape WHERE id = p_tape FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no tape %', p_tape USING ERRCODE = 'TP001';
    END IF;
    IF p_first < 1 OR p_last < p_first OR p_last > v_tape.head THEN
        RAISE EXCEPTION 'tape % has entries 1 to %, not % to %', p_tape, v_tape.head, p_first, p_last
            USING ERRCODE = 'TP008';
    END IF;
    SELECT count(*) INTO v_rows FROM tapes_entry
    WHERE tape_id = p_tape AND seq BETWEEN p_first AND p_last;
    IF v_rows <> p_last - p_first + 1 THEN
        RAISE EXCEPTION 'the entries % to % of tape % have left', p_first, p_last, p_tape
            USING ERRCODE = 'TP010';
    END IF;
    PERFORM 1 FROM tapes_fork AS f WHERE f.tape_id = p_tape AND f.state = 'open' AND EXISTS (
        SELECT FROM tapes_entry AS e
        WHERE e.tape_id = p_tape AND e.seq BETWEEN p_first AND p_last AND e.fork_id = f.id);
    IF FOUND THEN
        RAISE EXCEPTION 'entries % to % of tape % are still being worked on', p_first, p_last, p_tape
            USING ERRCODE = 'TP009';
    END IF;

    UPDATE tapes_entry AS e
    SET payload_text = given.payload, meta_text = '{}', why = '', salt = NULL
    FROM unnest(p_seqs, p_payloads) AS given (seq, payload)
    WHERE e.tape_id = p_tape AND e.seq = given.seq AND e.seq BETWEEN p_first AND p_last
      AND e.salt IS NOT NULL;
    GET DIAGNOSTICS v_rows = ROW_COUNT;
    IF v_rows <> cardinality(p_seqs) THEN
        RAISE EXCEPTION 'another erasure was at work on tape %', p_tape USING ERRCODE = 'TP002';
    END IF;
    UPDATE tapes_anchor AS a
    SET name = given.name, state = given.payload::jsonb -> 'state'
    FROM unnest(p_seqs, p_payloads, p_names) AS given (seq, payload, name)
    WHERE a.tape_id = p_tape AND a.seq = given.seq AND given.name IS NOT NULL;
    PERFORM tapes_forget(p_tape, p_first, p_last);

    -- A closed tape takes no entries but this one; its name may be another's by now.
    UPDATE tapes_tape SET archived_at = NULL, name = 'erasing/' || p_tape
    WHERE id = p_tape AND archived_at IS NOT NULL;
    SELECT a.first_seq INTO v_seq FROM tapes_append(
        p_tape, v_tape.head, NULL, NULL, ARRAY['event'],
        ARRAY[format('{"name":"erased","data":{"first":%s,"last":%s,"entries":%s}}',
                     p_first, p_last, v_rows)], ARRAY['{}'],
        ARRAY[NULL::bigint], ARRAY[NULL::bigint], ARRAY[NULL::integer], ARRAY[NULL::integer],
        ARRAY[p_actor], ARRAY[p_why], ARRAY['{}'], ARRAY[false], NULL) AS a;
    UPDATE tapes_tape SET archived_at = v_tape.archived_at, name = v_tape.name
    WHERE id = p_tape AND v_tape.archived_at IS NOT NULL;
    RETURN v_seq;
END $$;

-- Who still names a spilled text is asked at every erasure.
CREATE INDEX tapes_entry_spill ON tapes_entry
    USING gin (jsonb_path_query_array(payload, '$.results[*].spill.id'))
    WHERE kind = 'tool_result' AND jsonb_path_exists(payload, '$.results[*].spill.id');
