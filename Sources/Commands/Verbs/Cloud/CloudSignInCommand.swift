internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import Pairing

/// `clawradar cloud sign-in`: begins a session with a project, and syncs.
struct CloudSignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in",
        abstract: "Signs in to a project, sends the pairings of this device there, and takes those of your others.",
        usage: "clawradar cloud sign-in <url>#<publishable key> [<options>]",
        discussion: """
            Asks for your e-mail address and your password, which is not kept. With --code, a code is sent to the address \
            instead; with --with, you sign in to Apple or Google in a browser on this computer, where the project offers that.

            Tokens, trust and places are sealed on this device. The names of bots and gateways, hosts and fingerprints lie in \
            the table in clear, for whoever runs the project to read; --seal-names seals them, too. Tokens of gateways that \
            bind them to one device stay here: another device knows these gateways, and pairs with them itself.

            Your other devices open it by a recovery code, which the first device shows once, or by a passphrase of yours, \
            with which the key for it lies in the table: sign-in asks for one of them. The agent keeps the backup from then on.

            EXAMPLES:
              clawradar cloud sign-in 'https://abc.supabase.co#sb_publishable_…'
              clawradar cloud sign-in 'https://abc.supabase.co#sb_publishable_…' --email me@example.org --code
              clawradar cloud sign-in 'https://abc.supabase.co#sb_publishable_…' --with google --seal-names

            Exit status: 0; 1 if it was refused; 64 if the address or the key is none, or there is nobody to ask; 69 if the \
            server or the store cannot be used; 130 if it was cancelled.
            """
    )

    /// A provider by which the user signs in.
    enum Provider: String, CaseIterable, ExpressibleByArgument {
        case apple
        case google
    }

    @Argument(help: ArgumentHelp("The address of the project with its publishable key.", valueName: "url"))
    var url: String

    @Option(help: ArgumentHelp("Your e-mail address there.", valueName: "address"))
    var email: String?

    @Flag(help: "Have a one-time code sent to that address, in place of a password.")
    var code = false

    @Option(help: ArgumentHelp("Sign in by another: apple or google.", valueName: "provider"))
    var with: Provider?

    @Flag(help: "Seal names, hosts and fingerprints, too.")
    var sealNames = false

    func validate() throws {
        if with != nil, code || email != nil {
            throw ValidationError("--with: expected neither --email nor --code beside it, since the browser asks.")
        }
    }

    func run() async throws {
        let project: CloudProject
        do throws(CloudError) { project = try CloudProject(url) } catch { throw CommandFailure(.usage, "\(error).") }
        let store = try StoreAccess.open()
        if let problem = store.keyProblem { throw CommandFailure(problem) }
        guard TerminalDialogue.isPossible else {
            throw CommandFailure(.usage, "expected a terminal to ask on, found none: sign in once by hand.")
        }
        let server = CloudServer(project)
        let session: CloudSession = try await CommandFailure.cloud { () async throws -> CloudSession in
            if let with { return try await begun(server, by: with) }
            return try await begun(server)
        }
        let account = CloudAccount(
            project: project,
            user: session.user,
            email: session.email,
            sealsNames: sealNames
        )
        let sync = CloudSync(store)
        try await CommandFailure.cloud { try await sync.begin(session, of: account) }
        try await CloudVaultDialogue.provideKey(store, sync)
        let kept = try CommandFailure.translating { () throws(StoreError) in try store.cloudAccount() }
        Notes.note(
            kept?.sealsNames == true
                ? "what leaves this device is sealed, names included."
                : "tokens are sealed on this device; names, hosts and fingerprints lie in clear at \(project.url.origin)."
        )
        let arrivals = try await CommandFailure.cloud { try await sync.run(reads: true) }
        try StandardOutput().write(
            "signed in as \(DisplayText(session.email, limit: 64))\n" + CloudText.arrivals(arrivals ?? CloudArrivals())
        )
    }

    private func begun(_ server: CloudServer) async throws -> CloudSession {
        let typed = if let email { email } else { try await TerminalDialogue.answer("e-mail address: ") }
        guard typed.contains("@") else {
            throw CommandFailure(.usage, "expected an e-mail address, found another text.")
        }
        guard code else {
            return try await server.signIn(typed, password: try await TerminalDialogue.secret("password (not shown): "))
        }
        try await server.sendCode(to: typed)
        let secret = try await TerminalDialogue.secret(
            "the code in the mail to \(DisplayText(typed, limit: 64)) (not shown): "
        )
        return try await server.signIn(typed, code: secret)
    }

    private func begun(_ server: CloudServer, by provider: Provider) async throws -> CloudSession {
        guard try await server.providers.contains(provider.rawValue) else {
            throw CommandFailure(.nothingFound, "the project does not offer to sign in by \(provider.rawValue).")
        }
        let verifier = CloudVerifier()
        let code = try await BrowserReturn.code(path: "/\(verifier.place)", within: 300) { back in
            let address = server.address(of: provider.rawValue, back: back, verifier)
            Notes.note("open this in a browser on this computer, and sign in there:\n\(address)")
        }
        guard let code else { throw CommandFailure(.nothingFound, "you were not signed in there.") }
        return try await server.signIn(code: Secret(code), verifier)
    }
}

extension CommandFailure {
    /// Runs a closure that asks the cloud, and converts its error into a failure.
    static func cloud<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as CloudError {
            throw CommandFailure(error.kind == .passing ? .unavailable : .nothingFound, "\(error).")
        } catch let failure as WebFailure {
            throw CommandFailure(.unavailable, "\(failure).")
        }
    }
}
