-- The table of entries, cut by ranges of tape id so that old tapes can leave as whole partitions.
CREATE TABLE tapes_entry (
    tape_id bigint NOT NULL,
    seq bigint NOT NULL CHECK (seq > 0),
    kind text NOT NULL
        CHECK (kind IN ('message', 'system', 'tool_call', 'tool_result', 'anchor', 'event', 'error')),
    -- The exact text is the truth; the jsonb copy reorders keys and serves queries only.
    payload_text text NOT NULL CHECK (octet_length(payload_text) <= 50000000),
    meta_text text NOT NULL CHECK (octet_length(meta_text) <= 50000000),
    payload jsonb GENERATED ALWAYS AS (payload_text::jsonb) STORED,
    -- Taken away by erasure; without it the digest tells nothing about the words.
    salt bytea,
    digest bytea NOT NULL,
    hash bytea NOT NULL,
    fork_id bigint,
    topic_id bigint,
    turn_id bigint,
    step integer,
    part integer,
    actor text NOT NULL CHECK (char_length(actor) BETWEEN 1 AND 300),
    why text NOT NULL CHECK (char_length(why) <= 10000),
    sources bigint[] NOT NULL,
    date timestamptz NOT NULL,
    PRIMARY KEY (tape_id, seq),
    -- NULL steps are distinct, so this is the promise for steps and the index for turns at once.
    CONSTRAINT tapes_entry_step UNIQUE (tape_id, turn_id, step, part),
    CONSTRAINT tapes_entry_step_whole
        CHECK (step IS NULL OR (turn_id IS NOT NULL AND part IS NOT NULL)),
    CONSTRAINT tapes_entry_object CHECK (jsonb_typeof(payload) = 'object')
) PARTITION BY RANGE (tape_id);

CREATE INDEX tapes_entry_topic ON tapes_entry (tape_id, topic_id, seq) WHERE topic_id IS NOT NULL;

DO $$
BEGIN
    FOR i IN 0..7 LOOP
        EXECUTE format(
            'CREATE TABLE tapes_entry_p%s PARTITION OF tapes_entry FOR VALUES FROM (%s) TO (%s)',
            lpad(i::text, 3, '0'), i * 20000, (i + 1) * 20000
        );
    END LOOP;
END $$;

CREATE TABLE tapes_entry_rest PARTITION OF tapes_entry DEFAULT;

-- One hot row a tape: room on its page keeps the update of a head inside the page.
ALTER TABLE tapes_tape SET (fillfactor = 50);

-- A spilled text is found by what it says; a wrong digest would be a lie nobody could see.
ALTER TABLE tapes_spill ADD CONSTRAINT tapes_spill_digest
    CHECK (digest = encode(sha256(convert_to(text, 'UTF8')), 'hex'));
