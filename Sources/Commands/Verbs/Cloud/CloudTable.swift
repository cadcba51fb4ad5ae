/// The table of the cloud, as a Supabase project has to make it.
enum CloudTable {
    /// The statements, word for word those of `docs/cloud.sql`.
    static let statements = """
        -- The table in which clawradar keeps a backup of pairings, for a Supabase project: your own, or one that you host.
        -- Paste it into the SQL editor of the project, or run it with psql as the owner of the schema. Once is enough, and
        -- no other table is touched. `clawradar cloud setup` prints this file.

        CREATE TABLE bot_pairings (
            id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
            user_id UUID REFERENCES auth.users(id) NOT NULL,
            bot_id TEXT NOT NULL,
            gateway_fingerprint TEXT NOT NULL,
            bot_name TEXT,
            bot_emoji TEXT,
            gateway_host TEXT,
            gateway_port INT,
            remote_url TEXT,
            encrypted_token TEXT NOT NULL,
            device_id TEXT NOT NULL,
            paired_at TIMESTAMPTZ DEFAULT now(),
            last_connected TIMESTAMPTZ,
            is_active BOOLEAN DEFAULT true,
            created_at TIMESTAMPTZ DEFAULT now(),
            updated_at TIMESTAMPTZ DEFAULT now(),
            UNIQUE(user_id, bot_id, gateway_fingerprint)
        );

        COMMENT ON TABLE bot_pairings IS
            'One bot of one paired gateway of one user, as the newest of their devices has it.';
        COMMENT ON COLUMN bot_pairings.id IS 'A number of the row; it means nothing.';
        COMMENT ON COLUMN bot_pairings.user_id IS 'The user, who alone may read and write the row.';
        COMMENT ON COLUMN bot_pairings.bot_id IS
            'What the gateway calls the bot; empty if no bot is known. With --seal-names: sealed:…';
        COMMENT ON COLUMN bot_pairings.gateway_fingerprint IS
            'What the gateway told, else leaf:SHA-256 or host:NAME. With --seal-names: sealed:… In a row with '
            'vault:ID, the key of the user, wrapped by a passphrase.';
        COMMENT ON COLUMN bot_pairings.bot_name IS
            'The name of the bot, in clear; NULL with --seal-names, as the four columns after it.';
        COMMENT ON COLUMN bot_pairings.bot_emoji IS 'The emoji of the bot.';
        COMMENT ON COLUMN bot_pairings.gateway_host IS 'The name or address at which the gateway was last.';
        COMMENT ON COLUMN bot_pairings.gateway_port IS 'Its port there.';
        COMMENT ON COLUMN bot_pairings.remote_url IS 'Its address outside of its network.';
        COMMENT ON COLUMN bot_pairings.encrypted_token IS
            'Token, trust and places, sealed on the device by AES-256-GCM with a key that this server never has; '
            'empty once the pairing has ended.';
        COMMENT ON COLUMN bot_pairings.device_id IS 'The device that made this pairing.';
        COMMENT ON COLUMN bot_pairings.paired_at IS
            'The time of the token, by the clock of the server: the newest wins, then an end, then the greater device_id.';
        COMMENT ON COLUMN bot_pairings.last_connected IS
            'When a device was last connected, written at most once an hour.';
        COMMENT ON COLUMN bot_pairings.is_active IS 'False once the pairing has ended, or if the row is none.';
        COMMENT ON COLUMN bot_pairings.created_at IS 'When the row was inserted.';
        COMMENT ON COLUMN bot_pairings.updated_at IS
            'When it was last written: each write says so, and devices ask for what is newer.';

        -- Devices ask for what was written since they last asked, page by page.
        CREATE INDEX bot_pairings_pull ON bot_pairings (user_id, updated_at, id);

        -- Nobody but its user sees or changes a row, the owner of the table included.
        ALTER TABLE bot_pairings ENABLE ROW LEVEL SECURITY;
        ALTER TABLE bot_pairings FORCE ROW LEVEL SECURITY;

        CREATE POLICY "Users read own pairings" ON bot_pairings
            FOR SELECT TO authenticated USING ((SELECT auth.uid()) = user_id);
        CREATE POLICY "Users add own pairings" ON bot_pairings
            FOR INSERT TO authenticated WITH CHECK ((SELECT auth.uid()) = user_id);
        CREATE POLICY "Users change own pairings" ON bot_pairings
            FOR UPDATE TO authenticated
            USING ((SELECT auth.uid()) = user_id) WITH CHECK ((SELECT auth.uid()) = user_id);
        CREATE POLICY "Users remove own pairings" ON bot_pairings
            FOR DELETE TO authenticated USING ((SELECT auth.uid()) = user_id);

        REVOKE ALL ON bot_pairings FROM anon;
        GRANT SELECT, INSERT, UPDATE, DELETE ON bot_pairings TO authenticated;

        """
}
