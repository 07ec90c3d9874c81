-- What tapes_append does, for one entry on a tape that nobody else is writing on: most appends.
-- Without arrays, and with one lock of the tape's row instead of two: the head is read first and
-- moved only from where it was. Whatever is not so (no such tape, an archived one, another head)
-- is left to tapes_append, which locks and names it. The lock is taken before the fork is looked at
-- and before anything is written, as there.
CREATE FUNCTION tapes_append_one(
    p_tape bigint, p_expected_head bigint, p_fork bigint, p_token bigint, p_kind text,
    p_payload text, p_meta text, p_topic bigint, p_turn bigint, p_step integer, p_part integer,
    p_actor text, p_why text, p_sources bigint[], p_moves boolean, p_seed bytea,
    OUT first_seq bigint, OUT written_at timestamptz, OUT digest bytea, OUT hash bytea
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, __SCHEMA__, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    v_head bigint;
    v_hash bytea;
    v_salt bytea;
    v_digest bytea;
    v_token bigint;
    v_state text;
    v_seq bigint;
    v_date timestamptz := clock_timestamp();
    v_micros bigint := extract(epoch FROM v_date) * 1000000;
BEGIN
    IF octet_length(p_seed) >= 16 THEN
        SELECT t.head, t.head_hash INTO v_head, v_hash FROM tapes_tape AS t
        WHERE t.id = p_tape AND t.archived_at IS NULL
          AND (p_expected_head IS NULL OR t.head = p_expected_head);
    END IF;
    v_seq := v_head + 1;
    v_salt := substr(sha256(p_seed || int8send(v_seq)), 1, 16);
    v_digest := sha256(v_salt || convert_to(
        concat(octet_length(p_payload), ':', p_payload,
               octet_length(p_meta), ':', p_meta, p_why), 'UTF8'));
    v_hash := sha256(v_hash || v_digest || convert_to(
        concat(p_tape, '|', v_seq, '|', p_kind, '|', p_fork, '|', p_topic, '|', p_turn, '|',
               p_step, '|', p_part, '|', p_sources, '|', v_micros, '|', p_actor), 'UTF8'));
    UPDATE tapes_tape AS t SET head = v_seq, head_hash = v_hash
    WHERE t.id = p_tape AND t.head = v_head AND t.archived_at IS NULL;
    IF NOT FOUND THEN
        SELECT a.first_seq, a.written_at, a.digests[1], a.hashes[1]
        INTO first_seq, written_at, digest, hash
        FROM tapes_append(
            p_tape, p_expected_head, p_fork, p_token, ARRAY[p_kind], ARRAY[p_payload],
            ARRAY[p_meta], ARRAY[p_topic], ARRAY[p_turn], ARRAY[p_step], ARRAY[p_part],
            ARRAY[p_actor], ARRAY[p_why], ARRAY[p_sources::text], ARRAY[p_moves], p_seed) AS a;
        RETURN;
    END IF;
    IF p_fork IS NOT NULL THEN
        -- Shared, so that a snapshot older than the last renewal fails instead of passing.
        SELECT f.token, f.state INTO v_token, v_state
        FROM tapes_fork AS f WHERE f.id = p_fork AND f.tape_id = p_tape FOR SHARE;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'tape % has no fork %', p_tape, p_fork USING ERRCODE = 'TP007';
        END IF;
        IF p_token IS DISTINCT FROM v_token THEN
            RAISE EXCEPTION 'fork % has been taken over', p_fork USING ERRCODE = 'TP003';
        END IF;
        IF v_state <> 'open' THEN
            RAISE EXCEPTION 'fork % is %', p_fork, v_state USING ERRCODE = 'TP004';
        END IF;
    END IF;
    INSERT INTO tapes_entry (
        tape_id, seq, kind, payload_text, meta_text, salt, digest, hash, fork_id, topic_id,
        turn_id, step, part, actor, why, sources, date)
    VALUES (p_tape, v_seq, p_kind, p_payload, p_meta, v_salt, v_digest, v_hash, p_fork, p_topic,
            p_turn, p_step, p_part, p_actor, p_why, p_sources, v_date);
    IF p_kind = 'anchor' THEN
        INSERT INTO tapes_anchor (tape_id, seq, name, state, moves_window, fork_id)
        VALUES (p_tape, v_seq, p_payload::jsonb ->> 'name', p_payload::jsonb -> 'state', p_moves,
                p_fork);
    END IF;
    first_seq := v_seq;
    written_at := v_date;
    digest := v_digest;
    hash := v_hash;
END $$;

-- The latest event of a name, and all of one, whatever stands between them.
CREATE INDEX tapes_entry_event ON tapes_entry (tape_id, (payload -> 'name'), seq)
    WHERE kind = 'event';
