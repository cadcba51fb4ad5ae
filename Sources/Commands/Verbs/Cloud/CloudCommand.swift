internal import ArgumentParser
internal import Console

/// `clawradar cloud`: the backup of pairings, which a second device has at once.
struct CloudCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cloud",
        abstract: "Keeps a backup of the pairings in a Supabase project of yours, for a second device and a lost disk.",
        usage: "clawradar cloud <subcommand>",
        discussion: """
            Everything works without it. What leaves this device is sealed here: see docs/second-device.md.

            EXAMPLES:
              clawradar cloud setup
              clawradar cloud sign-in 'https://abc.supabase.co#sb_publishable_…'
              clawradar cloud status
            """,
        subcommands: [
            CloudSetupCommand.self, CloudSignInCommand.self, CloudSignOutCommand.self, CloudStatusCommand.self,
            CloudSyncCommand.self,
        ]
    )
}

/// `clawradar cloud setup`: prints the statements that make the table.
struct CloudSetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Prints the SQL that makes the table of pairings in a project, with row level security.",
        usage: "clawradar cloud setup",
        discussion: """
            Paste it into the SQL editor of the project, or run it with psql as the owner of the schema: once. It makes \
            one table, which each user sees only their own rows of, and touches no other.

            EXAMPLES:
              clawradar cloud setup
              clawradar cloud setup | psql "$DATABASE_URL"

            Exit status: 0; 74 if it could not be written.
            """
    )

    func run() throws { try StandardOutput().write(CloudTable.statements) }
}
