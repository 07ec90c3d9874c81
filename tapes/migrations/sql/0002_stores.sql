-- Importing, closing, and the copies of tapes in the archive.

-- Entries 1 to imported_head came from a file; 0 while the import runs, in its own transaction.
ALTER TABLE tapes_tape ADD CONSTRAINT tapes_tape_imported CHECK (imported_head >= 0);

-- Later migrations that write this function anew keep its last parameter, which imports need.
DROP FUNCTION tapes_append(
    bigint, bigint, bigint, bigint, text[], text[], text[], bigint[], bigint[], integer[],
    integer[], text[], text[], text[], boolean[], bytea);

CREATE FUNCTION tapes_append(
    p_tape bigint, p_expected_head bigint, p_fork bigint, p_token bigint,
    p_kinds text[], p_payloads text[], p_metas text[], p_topics bigint[], p_turns bigint[],
    p_steps integer[], p_parts integer[], p_actors text[], p_whys text[], p_sources text[],
    p_moves boolean[], p_seed bytea, p_dates timestamptz[] DEFAULT NULL,
    OUT first_seq bigint, OUT written_at timestamptz, OUT digests bytea[], OUT hashes bytea[]
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, __SCHEMA__, pg_temp
-- A plan made anew for each call costs more than it saves: there is only one way to do this.
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_head bigint;
    v_archived timestamptz;
    v_imported bigint;
    v_token bigint;
    v_state text;
    v_count integer := coalesce(cardinality(p_kinds), 0);
    v_hash bytea;
    v_digest bytea;
    -- Random from the caller: reading it here can cost as much as the rest together.
    v_seed bytea := coalesce(p_seed, uuid_send(gen_random_uuid()));
    v_salts bytea[];
    v_micros bigint;
BEGIN
    SELECT head, head_hash, archived_at, imported_head
    INTO v_head, v_hash, v_archived, v_imported
    FROM tapes_tape WHERE id = p_tape FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no tape %', p_tape USING ERRCODE = 'TP001';
    END IF;
    IF v_archived IS NOT NULL THEN
        RAISE EXCEPTION 'tape % is archived', p_tape USING ERRCODE = 'TP006';
    END IF;
    IF p_expected_head <> v_head THEN
        RAISE EXCEPTION 'tape % is at %, not at %', p_tape, v_head, p_expected_head
            USING ERRCODE = 'TP002';
    END IF;
    IF p_fork IS NOT NULL THEN
        -- Shared, so that a snapshot older than the last renewal fails instead of passing.
        SELECT token, state INTO v_token, v_state
        FROM tapes_fork WHERE id = p_fork AND tape_id = p_tape FOR SHARE;
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
    IF v_count = 0 OR octet_length(v_seed) < 16 THEN
        RAISE EXCEPTION 'nothing to append, or a seed too short' USING ERRCODE = 'TP005';
    END IF;

    IF p_dates IS NOT NULL AND v_imported IS DISTINCT FROM 0 THEN
        RAISE EXCEPTION 'only an import says when its entries were written'
            USING ERRCODE = 'TP005';
    END IF;

    first_seq := v_head + 1;
    written_at := clock_timestamp();
    v_micros := extract(epoch FROM written_at) * 1000000;
    FOR i IN 1..v_count LOOP
        IF p_dates IS NOT NULL THEN
            v_micros := extract(epoch FROM coalesce(p_dates[i], written_at)) * 1000000;
        END IF;
        v_salts[i] := substr(sha256(v_seed || int8send(v_head + i)), 1, 16);
        -- What erasure may take away: payload, meta and the reason a person typed.
        v_digest := sha256(v_salts[i] || convert_to(
            concat(octet_length(p_payloads[i]), ':', p_payloads[i],
                   octet_length(p_metas[i]), ':', p_metas[i], p_whys[i]), 'UTF8'));
        -- What stays: the actor comes last, being the only part that may hold a bar.
        v_hash := sha256(v_hash || v_digest || convert_to(
            concat(p_tape, '|', v_head + i, '|', p_kinds[i], '|', p_fork, '|', p_topics[i],
                   '|', p_turns[i], '|', p_steps[i], '|', p_parts[i], '|',
                   p_sources[i]::bigint[], '|', v_micros, '|', p_actors[i]), 'UTF8'));
        digests[i] := v_digest;
        hashes[i] := v_hash;
    END LOOP;

    INSERT INTO tapes_entry (
        tape_id, seq, kind, payload_text, meta_text, salt, digest, hash, fork_id, topic_id,
        turn_id, step, part, actor, why, sources, date)
    SELECT p_tape, v_head + i, p_kinds[i], p_payloads[i], p_metas[i], v_salts[i], digests[i],
           hashes[i], p_fork, p_topics[i], p_turns[i], p_steps[i], p_parts[i], p_actors[i],
           p_whys[i], p_sources[i]::bigint[], coalesce(p_dates[i], written_at)
    FROM generate_series(1, v_count) AS i;

    IF 'anchor' = ANY (p_kinds) THEN
        INSERT INTO tapes_anchor (tape_id, seq, name, state, moves_window, fork_id)
        SELECT p_tape, v_head + i, p_payloads[i]::jsonb ->> 'name',
               p_payloads[i]::jsonb -> 'state', p_moves[i], p_fork
        FROM generate_series(1, v_count) AS i
        WHERE p_kinds[i] = 'anchor';
    END IF;

    UPDATE tapes_tape SET head = head + v_count, head_hash = v_hash WHERE id = p_tape;
END $$;

-- A tape to be filled from a file: nobody sees it before the transaction of the import commits.
CREATE FUNCTION tapes_import_open(p_name text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, __SCHEMA__, pg_temp AS $$
DECLARE
    v_tape bigint;
BEGIN
    INSERT INTO tapes_tape (name, head, head_hash, created_at, imported_head)
    VALUES (p_name, 0, decode(repeat('00', 32), 'hex'), clock_timestamp(), 0)
    RETURNING id INTO v_tape;
    RETURN v_tape;
END $$;

CREATE FUNCTION tapes_import_close(p_tape bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, __SCHEMA__, pg_temp AS $$
DECLARE
    v_head bigint;
BEGIN
    UPDATE tapes_tape SET imported_head = head
    WHERE id = p_tape AND imported_head = 0 AND head > 0 RETURNING head INTO v_head;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'tape % has nothing imported', p_tape USING ERRCODE = 'TP005';
    END IF;
    RETURN v_head;
END $$;

-- Closed for good: its name is free again, and it may go to the archive.
CREATE FUNCTION tapes_close(p_tape bigint) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, __SCHEMA__, pg_temp AS $$
DECLARE
    v_tape tapes_tape;
BEGIN
    SELECT * INTO v_tape FROM tapes_tape WHERE id = p_tape FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no tape %', p_tape USING ERRCODE = 'TP001';
    END IF;
    IF v_tape.archived_at IS NOT NULL THEN
        RAISE EXCEPTION 'tape % is archived', p_tape USING ERRCODE = 'TP006';
    END IF;
    UPDATE tapes_tape SET archived_at = clock_timestamp() WHERE id = p_tape
    RETURNING archived_at INTO v_tape.archived_at;
    RETURN v_tape.archived_at;
END $$;
