internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// `clawradar cloud sync`: sends and reads now.
struct CloudSyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Sends what waits and reads what your other devices have sent, now.",
        usage: "clawradar cloud sync",
        discussion: """
            The agent does that by itself: it sends at once, and reads when it starts, soon after anything has changed, and \
            once an hour. No other command waits for the cloud.

            EXAMPLES:
              clawradar cloud sync

            Exit status: 0; 1 if nobody is signed in, or it was refused; 69 if the server or the store cannot be used.
            """
    )

    func run() async throws {
        let store = try StoreAccess.open()
        let arrivals = try await CommandFailure.cloud { try await CloudSync(store).run(reads: true) }
        guard let arrivals else {
            throw CommandFailure(.nothingFound, "nobody is signed in: `clawradar cloud sign-in` does that.")
        }
        try StandardOutput().write(CloudText.arrivals(arrivals))
    }
}

/// `clawradar cloud status`: shows what waits, and why.
struct CloudStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows who is signed in, what waits to be sent and why, and what was not taken.",
        usage: "clawradar cloud status",
        discussion: """
            It reads the store alone, and asks nobody.

            EXAMPLES:
              clawradar cloud status

            Exit status: 0; 69 if the store cannot be used.
            """
    )

    func run() async throws {
        let store = try StoreAccess.open()
        let (account, entries) = try CommandFailure.translating {
            () throws(StoreError) -> (CloudAccount?, [CloudEntryRow]) in
            let account = try store.cloudAccount()
            if let account, account.isSignedIn, let vault = try store.vaultKey() {
                return (account, try store.cloudEntries(store.cloudOwner(account), vault))
            }
            return (account, try store.cloudEntries())
        }
        try StandardOutput().write(CloudText.status(account, entries))
    }
}

/// `clawradar cloud sign-out`: ends the session.
struct CloudSignOutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        abstract: "Ends the session of this device; the pairings that are here stay.",
        usage: "clawradar cloud sign-out [<options>]",
        discussion: """
            The session ends at the server, and the vault key goes from this device, which then can read nothing of what is \
            in the cloud. To sign in again, you need the recovery code or the passphrase.

            EXAMPLES:
              clawradar cloud sign-out
              clawradar cloud sign-out --yes

            Exit status: 0; 64 if there is nobody to ask for confirmation; 69 if the store cannot be used; 130 if it was \
            cancelled.
            """
    )

    @OptionGroup var confirmation: ConfirmationOption

    func run() async throws {
        let store = try StoreAccess.open()
        let account = try CommandFailure.translating { () throws(StoreError) in try store.cloudAccount() }
        guard let account, account.isSignedIn else { return Notes.note("nobody is signed in.") }
        let shown = DisplayText(account.email, limit: 64).text
        try await confirmation.confirm(
            "Sign out, and forget the vault key here?",
            ["\(shown) at \(account.project.url.origin)"]
        )
        let reason = try await CommandFailure.cloud { try await CloudSync(store).signOut() }
        if let reason {
            Notes.warning("the server could not be told, so that the session ends there later: \(reason)")
        }
        try StandardOutput().write("signed out: the pairings of this device stay\n")
    }
}

/// The texts about the cloud.
enum CloudText {
    /// The most rows that are named.
    private static let mostNames = 10

    static func arrivals(_ arrivals: CloudArrivals) -> String {
        func line(_ names: [String], _ what: String) -> [String] {
            guard !names.isEmpty else { return [] }
            let shown = names.prefix(mostNames).map { DisplayText($0, limit: 64).text }
            let rest = names.count > shown.count ? " and \(names.count - shown.count) more" : ""
            return ["\(shown.joined(separator: ", "))\(rest): \(what)"]
        }
        let lines =
            line(arrivals.came, "came from another device")
            + line(arrivals.known, "known from another device, pair with it here")
            + line(arrivals.ended, "unpaired on another device, in the bin for 30 days")
            + (arrivals.sent > 0 ? ["sent: \(arrivals.sent)"] : [])
        return (lines.isEmpty ? ["everything is as in the cloud"] : lines).map { "\($0)\n" }.joined()
    }

    static func status(_ account: CloudAccount?, _ entries: [CloudEntryRow]) -> String {
        guard let account else { return "nobody has signed in: everything works without a cloud\n" }
        let waiting = entries.filter(\.entry.isWaiting)
        let user = DisplayText(account.email, limit: 64).text
        var rows = [
            ("account", account.isSignedIn ? user : "\(user), signed out"),
            ("project", account.project.url.origin),
            ("names", account.sealsNames ? "sealed" : "in clear"),
            ("last read", account.pulledAt.map { TimeText.localDay(Timestamp(milliseconds: $0)) } ?? "never"),
            ("waits", waiting.isEmpty ? "nothing" : "\(waiting.count): \(names(waiting))"),
        ]
        if let trouble = account.trouble {
            let times = account.failures > 0 ? ", \(account.failures) times" : ""
            rows.append(("because", DisplayText(trouble, limit: 200).text + times))
        } else if !waiting.isEmpty {
            rows.append(("because", "the agent has not sent it yet: `clawradar cloud sync` does"))
        }
        for (note, what) in [
            (CloudEntryRow.Note.known, "known"), (.rolledBack, "rolled back"), (.foreignKey, "other key"),
            (.broken, "not taken"),
        ] {
            let found = entries.filter { $0.note == note }
            if !found.isEmpty { rows.append((what, "\(found.count): \(names(found))")) }
        }
        return rows.map { title, text in "\(title)\(String(repeating: " ", count: 12 - title.count))\(text)\n" }
            .joined()
    }

    private static func names(_ rows: [CloudEntryRow]) -> String {
        let shown = rows.prefix(mostNames).map { DisplayText($0.name ?? $0.bot, limit: 64).text }
        return shown.joined(separator: ", ") + (rows.count > shown.count ? ", …" : "")
    }
}
