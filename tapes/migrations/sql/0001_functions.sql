-- Every write to a tape, run with the rights of the owner. The row of the tape is locked first,
-- always, so that writers, forks and fences of one tape stand in one queue.
--
-- Refusals: TP001 unknown tape, TP002 head moved, TP003 stale token, TP004 fork closed,
-- TP005 invalid entry, TP006 tape archived, TP007 unknown fork.

CREATE FUNCTION tapes_append(
    p_tape bigint, p_expected_head bigint, p_fork bigint, p_token bigint,
    p_kinds text[], p_payloads text[], p_metas text[], p_topics bigint[], p_turns bigint[],
    p_steps integer[], p_parts integer[], p_actors text[], p_whys text[], p_sources text[],
    p_moves boolean[], p_seed bytea,
    OUT first_seq bigint, OUT written_at timestamptz, OUT digests bytea[], OUT hashes bytea[]
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, __SCHEMA__, pg_temp
-- A plan made anew for each call costs more than it saves: there is only one way to do this.
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_head bigint;
    v_archived timestamptz;
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
    SELECT head, head_hash, archived_at INTO v_head, v_hash, v_archived
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

    first_seq := v_head + 1;
    written_at := clock_timestamp();
    v_micros := extract(epoch FROM written_at) * 1000000;
    FOR i IN 1..v_count LOOP
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
           p_whys[i], p_sources[i]::bigint[], written_at
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

CREATE FUNCTION tapes_create(p_name text, p_payload text, p_actor text, p_why text)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, __SCHEMA__, pg_temp AS $$
DECLARE
    v_tape bigint;
BEGIN
    IF p_payload::jsonb ->> 'name' IS DISTINCT FROM 'session/start' THEN
        RAISE EXCEPTION 'a tape starts with session/start' USING ERRCODE = 'TP005';
    END IF;
    INSERT INTO tapes_tape (name, head, head_hash, created_at)
    VALUES (p_name, 0, decode(repeat('00', 32), 'hex'), clock_timestamp())
    RETURNING id INTO v_tape;
    PERFORM tapes_append(
        v_tape, 0, NULL, NULL, ARRAY['anchor'], ARRAY[p_payload], ARRAY['{}'],
        ARRAY[NULL::bigint], ARRAY[NULL::bigint], ARRAY[NULL::integer], ARRAY[NULL::integer],
        ARRAY[p_actor], ARRAY[p_why], ARRAY['{}'], ARRAY[true], NULL);
    RETURN v_tape;
END $$;

CREATE FUNCTION tapes_fork_open(p_tape bigint, OUT fork_id bigint, OUT token bigint, OUT base_seq bigint)
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
    token := 1;
    base_seq := v_tape.head;
    INSERT INTO tapes_fork AS f (tape_id, state, token, base_seq, opened_at)
    VALUES (p_tape, 'open', 1, v_tape.head, clock_timestamp())
    RETURNING f.id INTO fork_id;
END $$;

-- Locks the tape of a fork, then the fork.
CREATE FUNCTION tapes_fork_locked(p_fork bigint) RETURNS tapes_fork
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, __SCHEMA__, pg_temp AS $$
DECLARE
    v_fork tapes_fork;
BEGIN
    PERFORM 1 FROM tapes_tape AS t
    WHERE t.id = (SELECT f.tape_id FROM tapes_fork AS f WHERE f.id = p_fork) FOR NO KEY UPDATE;
    SELECT * INTO v_fork FROM tapes_fork WHERE id = p_fork FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no fork %', p_fork USING ERRCODE = 'TP007';
    END IF;
    RETURN v_fork;
END $$;

-- A new token: whoever holds the old one can no longer write or close.
CREATE FUNCTION tapes_fork_renew(p_fork bigint, OUT tape_id bigint, OUT token bigint, OUT base_seq bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, __SCHEMA__, pg_temp AS $$
DECLARE
    v_fork tapes_fork := tapes_fork_locked(p_fork);
BEGIN
    IF v_fork.state <> 'open' THEN
        RAISE EXCEPTION 'fork % is %', p_fork, v_fork.state USING ERRCODE = 'TP004';
    END IF;
    tape_id := v_fork.tape_id;
    token := v_fork.token + 1;
    base_seq := v_fork.base_seq;
    UPDATE tapes_fork AS f SET token = v_fork.token + 1 WHERE f.id = p_fork;
END $$;

-- Merge or discard: one event outside the fork and the fork's row; NULL when it was done already.
CREATE FUNCTION tapes_fork_close(
    p_fork bigint, p_token bigint, p_state text, p_meta text, p_topic bigint, p_turn bigint,
    p_step integer, p_part integer, p_actor text, p_why text, p_sources text
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, __SCHEMA__, pg_temp AS $$
DECLARE
    v_fork tapes_fork := tapes_fork_locked(p_fork);
    v_seq bigint;
BEGIN
    IF p_token IS DISTINCT FROM v_fork.token THEN
        RAISE EXCEPTION 'fork % has been taken over', p_fork USING ERRCODE = 'TP003';
    END IF;
    IF v_fork.state = p_state THEN
        RETURN NULL;
    END IF;
    IF v_fork.state <> 'open' THEN
        RAISE EXCEPTION 'fork % is %', p_fork, v_fork.state USING ERRCODE = 'TP004';
    END IF;
    IF p_state NOT IN ('merged', 'discarded') THEN
        RAISE EXCEPTION 'a fork is merged or discarded, not %', p_state USING ERRCODE = 'TP005';
    END IF;
    SELECT a.first_seq INTO v_seq FROM tapes_append(
        v_fork.tape_id, NULL, NULL, NULL, ARRAY['event'],
        ARRAY[format('{"name":"fork_%s","data":{"fork":%s}}', p_state, p_fork)], ARRAY[p_meta],
        ARRAY[p_topic], ARRAY[p_turn], ARRAY[p_step], ARRAY[p_part], ARRAY[p_actor],
        ARRAY[p_why], ARRAY[p_sources], ARRAY[false], NULL) AS a;
    UPDATE tapes_fork
    SET state = p_state, closed_seq = v_seq, closed_at = clock_timestamp() WHERE id = p_fork;
    RETURN v_seq;
END $$;
