-- What a Supabase project has before its first table: the roles that requests take on, and the schema of the users.
-- Run once, as the owner of a new cluster, before docs/cloud.sql.

CREATE ROLE anon NOLOGIN NOINHERIT;
CREATE ROLE authenticated NOLOGIN NOINHERIT;
CREATE ROLE service_role NOLOGIN NOINHERIT BYPASSRLS;

-- Every request for rows connects as this one, and changes to one of the three.
CREATE ROLE authenticator LOGIN NOINHERIT;
GRANT anon, authenticated, service_role TO authenticator;

GRANT USAGE ON SCHEMA public TO anon, authenticated, service_role;
-- New tables are open to all three, as there: row level security alone decides.
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON TABLES TO anon, authenticated, service_role;

CREATE ROLE auth_admin LOGIN NOINHERIT;
CREATE SCHEMA auth AUTHORIZATION auth_admin;
GRANT USAGE ON SCHEMA auth TO anon, authenticated, service_role;

CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT nullif(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub', '')::uuid
$$;
CREATE FUNCTION auth.role() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
$$;

CREATE TABLE auth.users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text UNIQUE NOT NULL,
  password_hash text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE auth.sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE,
  method text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
-- A token is derived from its number and a key that is not in the database, so that a dump has no token.
CREATE TABLE auth.refresh_tokens (
  id bigserial PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES auth.sessions ON DELETE CASCADE,
  digest text UNIQUE,
  parent bigint,
  revoked boolean NOT NULL DEFAULT false,
  updated_at double precision NOT NULL
);
ALTER TABLE auth.users OWNER TO auth_admin;
ALTER TABLE auth.sessions OWNER TO auth_admin;
ALTER TABLE auth.refresh_tokens OWNER TO auth_admin;
-- A foreign key from public is checked as the owner of its table.
GRANT REFERENCES, SELECT ON auth.users TO postgres;
