import Constellation
import DNSSD
import GatewayProtocol
import GatewayReports
import PairingReports
import Testing

@testable import Commands
@testable import Pairing
@testable import PairingStore

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
        #expect(PairingTable.text([pairing], width: 60).contains("outside this network: wss://\(host)/gw"))
    }

    /// Both commands that can approve the request are shown, because a gateway does not tell whether it is OpenClaw or
    /// the reference gateway.
    @Test func bothCommandsThatApproveAreNamed() throws {
        let refusal = SessionRefusal(dialect: .openClaw, reason: .notPaired, credential: .none, requestID: "r-1")
        var progress = PairingProgress()
        #expect(progress.remainder.isEmpty)
        let approval = PairingApproval(refusal: refusal, since: 0, lastConfirmed: 0)
        let approvalText = progress.take(.approvalNeeded(approval), at: 1_000)
        let line = try #require(approvalText)
        #expect(line.contains("openclaw devices approve r-1"))
        #expect(line.contains("clawradar gateway approve r-1"))
        #expect(progress.step == line)
        #expect(progress.remainder.contains("openclaw devices reject r-1"))
    }

    /// The state is reported once, although it recurs with each secret that is tried.
    @Test func askingIsReportedOnce() throws {
        var progress = PairingProgress()
        let asking = PairingState.pairing(try offer())
        #expect(progress.take(asking, at: 0) == "asking “Home” to pair")
        #expect(progress.take(asking, at: 0) == nil)
        #expect(progress.take(.storing, at: 0) == "storing it")
    }

    /// The command that removes this device at the gateway is shown at once and in full, if only its operator can
    /// remove it: there will be no later attempt from here.
    @Test func theCommandThatRemovesThisDeviceIsUncut() throws {
        let device = String(repeating: "0a", count: 32)
        var pairing = try Pairings.home()[0]
        pairing.dialect = .openClaw
        pairing.credentials = [StoredCredential(bots: [], createdAt: 0, deviceID: device)]
        let command = try #require(pairing.removingCommand)
        #expect(command == "openclaw devices remove \(device)")
        let text = UnpairingText.text(.removedByOperator(command: command), "“Home”", pairing)
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
}
