import Agent
import DNSSD
import GatewayProtocol
import Reports
import Scanning
import Testing

@testable import Commands
@testable import Console
@testable import Pairing

/// The texts that report a pairing and its end.
@Suite struct PairingTextTests {
    private func offer(remote: String? = nil) throws -> PairingOffer {
        let leaf = try #require(LeafFingerprint(String(repeating: "5f", count: 32)))
        return PairingOffer(
            gatewayID: .candidate(.endpoint(Rows.endpoint())),
            name: "Home",
            dialect: .openClaw,
            endpoint: Rows.endpoint(),
            leaf: leaf,
            remoteURL: remote.flatMap { GatewayURL($0) }
        )
    }

    /// The address outside of this network is shown in full before the user agrees: any host with a certificate for
    /// that name would receive the token.
    @Test func theAddressOutsideIsShown() throws {
        #expect(PairingText.lines(try offer()).allSatisfy { !$0.contains("outside") })
        let host = String(repeating: "a", count: 63) + "." + String(repeating: "b", count: 63) + ".elsewhere.example"
        let lines = PairingText.lines(try offer(remote: "wss://\(host)/gw"))
        let line = try #require(lines.first { $0.contains("outside this network") })
        #expect(line.contains("wss://\(host)/gw, known by its host name"), "the address must not be shortened")
        let address = PairingText.lines(try offer(remote: "wss://203.0.113.7/"))
        #expect(address.contains { $0.contains("known by this gateway's certificate") })
        var pairing = try Pairings.home()[0]
        pairing.remoteURL = "wss://\(host)/gw"
        #expect(PairingTable.text([pairing], width: 60).contains("  outside this network:\n  wss://\(host)/gw\n"))
    }

    /// What an older configuration had in the local network is called nothing else.
    @Test(arguments: [
        ("ws://192.168.1.5:3000/", "  address: "), ("ws://desk.local:3000/", "  address: "),
        ("wss://192.168.1.5:3000/", "  address: "), ("wss://[fd00::5]:3000/", "  address: "),
        ("wss://203.0.113.7/", "  outside this network: "), ("wss://bot.example.org/", "  outside this network: "),
    ])
    func anAddressHereIsNotOutside(url: String, title: String) throws {
        var pairing = try Pairings.home()[0]
        pairing.remoteURL = url
        #expect(PairingTable.text([pairing], width: nil).contains("\(title)\(url)\n"))
    }

    /// The rights of an admin are shown before the user agrees.
    @Test func whatAnAdminMayIsShown() throws {
        let what = "this device can then approve and reject other devices there"
        let lines = PairingText.lines(try offer(), rights: .admin)
        #expect(lines.contains { $0.contains("as admin") && $0.contains(what) })
        #expect(PairingText.lines(try offer()).allSatisfy { !$0.contains("as admin") })
    }

    private func approval(
        _ requestID: String?,
        _ tool: SessionRefusal.OperatorTool = .openClaw,
        next: Int = 0
    ) -> PairingApproval {
        let refusal = SessionRefusal(
            dialect: .openClaw,
            reason: .notPaired,
            credential: .none,
            requestID: requestID,
            operatorTool: tool
        )
        return PairingApproval(refusal: refusal, since: 0, lastConfirmed: 0, nextRequest: next)
    }

    /// The command that approves a request is that of the gateway's own program, and no other is shown with it.
    @Test(arguments: [
        (SessionRefusal.OperatorTool.openClaw, "openclaw devices", ""), (.clawdbot, "clawdbot devices", ""),
        (.clawradar, "reference-gateway", " (with its --state, else its --port)"),
    ])
    func theCommandOfTheGatewaysOwnProgramIsNamed(
        tool: SessionRefusal.OperatorTool,
        command: String,
        place: String
    ) throws {
        var progress = PairingProgress()
        #expect(progress.remainder.isEmpty)
        let line = progress.take(.approvalNeeded(approval("r-1", tool)))
        #expect(line == "waiting for approval: on the gateway run: \(command) approve r-1\(place)")
        #expect(progress.step == line)
        #expect(progress.remainder.hasSuffix(": \(command) reject r-1"))
    }

    /// A request that waits is reported once, however often it is repeated, and again when it has expired and another
    /// one has taken its place.
    @Test func aRequestIsReportedOnce() throws {
        var progress = PairingProgress()
        #expect(progress.take(.approvalNeeded(approval("r-1", next: 4_000))) != nil)
        #expect(progress.take(.approvalNeeded(approval("r-1", next: 8_000))) == nil)
        var renewed = approval("r-2")
        renewed.isRenewed = true
        let line = progress.take(.approvalNeeded(renewed))
        #expect(line?.hasPrefix("the request has expired, and a new one was made; waiting for approval: ") == true)
        #expect(progress.remainder.contains("reject r-2"))
    }

    /// Only steps that wait have a countdown, which never shows a negative time.
    @Test func theTimeUntilTheNextRequestIsCountedDown() throws {
        let state = PairingState.approvalNeeded(approval("r-1", next: 4_000))
        #expect(PairingText.countdown(state, at: 0) == "asking again in 4 s; Enter asks now")
        #expect(PairingText.countdown(state, at: 3_001) == "asking again in 1 s; Enter asks now")
        #expect(PairingText.countdown(state, at: 9_000) == "asking again in 0 s; Enter asks now")
        #expect(PairingText.countdown(.asking, at: 0) == nil)
    }

    /// A gateway that is not proved is refused with the digits to compare and the option that takes them; without TLS,
    /// where nothing could be proved, with what is left.
    @Test func anUnprovedGatewayIsRefusedWithTheWayOut() throws {
        let failure = CommandFailure(.unproved, try offer())
        #expect(failure.status == .usage)
        #expect(failure.message.contains("--certificate \(String(repeating: "5f", count: 32))"))
        let plain = PairingOffer(
            gatewayID: .candidate(.endpoint(Rows.endpoint())),
            name: "Home",
            dialect: .openClaw,
            endpoint: Rows.endpoint()
        )
        #expect(CommandFailure(.unproved, plain).message.contains("give a code together with its address"))
    }

    /// A paired gateway that has changed is refused with both certificates, and with the command that accepts the new one.
    @Test func aChangedGatewayIsRefusedWithTheCommandThatAcceptsIt() throws {
        let pairing = try Pairings.home()[0]
        let new = try #require(LeafFingerprint(String(repeating: "0a", count: 32)))
        func failure(
            leaf: LeafFingerprint?,
            fingerprint: String?,
            at endpoint: Endpoint? = nil
        ) throws -> CommandFailure {
            let offer = PairingOffer(
                gatewayID: .candidate(.endpoint(Rows.endpoint())),
                name: "Home Gateway",
                dialect: .optaplus,
                fingerprint: fingerprint.flatMap { GatewayFingerprint($0) },
                endpoint: endpoint ?? pairing.endpoints[0],
                leaf: leaf
            )
            let conflict = try #require(offer.conflict(with: [pairing]))
            return CommandFailure(PairingError(.changedLeaf, conflict.message, conflict: conflict), offer)
        }
        let changed = try failure(leaf: new, fingerprint: "fp-home").message
        #expect(changed.contains("clawradar trust \(pairing.shortID) --certificate \(new)"))
        #expect(changed.contains(String(repeating: "5f", count: 32)))
        // The command says where the digits are shown, if that is elsewhere.
        #expect(!changed.contains("--address"))
        let moved = Endpoint(address: try #require(IPAddress("10.0.0.77")), port: 3_000)
        #expect(try failure(leaf: new, fingerprint: "fp-home", at: moved).message.hasSuffix("--address 10.0.0.77:3000"))
        #expect(try failure(leaf: nil, fingerprint: "fp-home").message.contains("without TLS"))
        #expect(try failure(leaf: new, fingerprint: "own").message.contains("clawradar forget \(pairing.shortID)"))
    }

    /// The state is reported once, although it recurs with each secret that is tried.
    @Test func askingIsReportedOnce() throws {
        var progress = PairingProgress()
        let asking = PairingState.pairing(try offer())
        #expect(progress.take(asking) == "asking “Home” to pair")
        #expect(progress.take(asking) == nil)
        #expect(progress.take(.storing) == "storing it")
    }

    /// The command that removes this device at the gateway is shown at once and in full, if only its operator can
    /// remove it: there will be no later attempt from here.
    @Test func theCommandThatRemovesThisDeviceIsUncut() throws {
        let device = String(repeating: "0a", count: 32)
        var pairing = try Pairings.home()[0]
        pairing.dialect = .openClaw
        pairing.credentials = [StoredCredential(bots: [], createdAt: 0, deviceID: device)]
        let commands = SessionRefusal.OperatorTool.allCases.map { tool in
            pairing.operatorTool = tool
            return pairing.removingCommand
        }
        #expect(
            commands == [
                "openclaw devices remove \(device)", "clawdbot devices revoke --device \(device) --role operator",
                "reference-gateway revoke \(device) --forget",
            ]
        )
        pairing.operatorTool = .openClaw
        let command = try #require(pairing.removingCommand)
        let text = UnpairingText.text(.byOperator(command: command), "“Home”", pairing)
        #expect(text.contains(command))
        #expect(!text.contains("seen again"))
        let item = BinnedPairing(pairing: pairing, reason: .unpaired(withdrawnThere: false), time: 0, isWhole: true)
        let listing = PairingTable.text([item], width: 60)
        #expect(listing.contains(command))
        #expect(!listing.contains("yet"))
        let fields = UnpairingResult.removedByOperator(command: command).report.fields
        #expect(fields["command"] == .string(command))
        #expect(fields["withdrawn"] == .bool(false))
        #expect(UnpairingResult.onlyHere("away").report.fields["reason"] == .string("away"))
        #expect(try Pairings.home()[0].removingCommand == nil)
    }

    /// Nothing is promised of a gateway that a device cannot leave, and that is not told later either.
    @Test(arguments: GatewayDialect.allCases) func nothingIsPromisedOfAGatewayThatCannotBeLeft(
        dialect: GatewayDialect
    ) throws {
        var pairing = try Pairings.home()[0]
        pairing.dialect = dialect
        let isLeft = dialect == .optaplus
        let text = UnpairingText.text(.pending(reason: "it is away"), "“Home”", pairing)
        #expect(text.contains("it is away") && text.contains("when it is seen again") == isLeft, "\(text)")
        let item = BinnedPairing(pairing: pairing, reason: .unpaired(withdrawnThere: false), time: 0, isWhole: true)
        #expect(PairingTable.text([item], width: nil).contains("withdrawn there yet") == isLeft)
    }
}
