import DNSSD
import GatewayProtocol
import Reports
import Testing

@testable import Agent
@testable import Pairing

/// Each trouble of a paired gateway has one command, in JSON too, and what is well has none.
@Suite struct PairedStatusCommandTests {
    private static func command(_ name: String, _ note: SessionNote?) throws -> String? {
        let pairing = try Pairings.pairing(name, id: "a")
        let sessions = note.map { note in
            [HeldSession(holder: LockHolder(process: 1, program: "clawradar agent"), note: note)]
        }
        return PairedStatus(pairing, row: nil, sessions: sessions ?? []).report.json["command"]?.string
    }

    private static func note(_ state: PairedState) -> SessionNote {
        SessionNote(state: state.rawValue, since: 1, path: nil, reason: nil)
    }

    @Test(arguments: [PairedState.refused, .failed, .uncertified, .waiting])
    func theDoctorSaysMore(state: PairedState) throws {
        #expect(try Self.command("Attic", Self.note(state)) == "clawradar doctor \"Attic\"")
    }

    @Test func oneThatIsAwayHasOneToo() throws {
        #expect(try Self.command("Attic", nil) == "clawradar doctor \"Attic\"")
        // A name that a shell would run is none to copy.
        #expect(try Self.command("$(touch canary)", nil) == "clawradar doctor aaaaaaaa")
    }

    @Test func whatIsWellHasNone() throws {
        #expect(try Self.command("Attic", Self.note(.connected)) == nil)
        #expect(try Self.command("Attic", Self.note(.connecting)) == nil)
    }

    @Test func theCommandIsThatOfTheReason() throws {
        let pairing = try Pairings.pairing("Attic", id: "a")
        let held = HeldSession(
            holder: LockHolder(process: 1, program: "clawradar agent"),
            note: Self.note(.changedLeaf)
        )
        let report = PairedStatus(pairing, row: nil, sessions: [held]).report.json
        #expect(report["command"]?.string == "clawradar trust aaaaaaaa")
        #expect(report["reason"]?.string?.hasSuffix("To accept it: clawradar trust aaaaaaaa") == true)
    }

    /// One that has lost its TLS, or has it by now, is said to, and each has one command: pairing anew accepts what has TLS, and
    /// what has lost it is accepted by nothing.
    @Test(arguments: [true, false]) func aChangeOfTransportHasItsCommand(isLost: Bool) throws {
        var pairing = try Pairings.pairing("Attic", id: "a")
        let reason = isLost ? MoveReason.lostTLS : .hasTLS
        let place = pairing.endpoints[0].address
        if !isLost {
            let home = HomeNetwork(prefix: place, prefixLength: 24, router: [2, 0, 0, 0, 0, 1], gateway: nil)
            pairing.trust = .lan(home)
        }
        let note = SessionNote(
            state: PairedState.moved.rawValue,
            since: 1,
            path: nil,
            reason: "\(reason): nothing is sent to it"
        )
        let held = HeldSession(holder: LockHolder(process: 1, program: "clawradar agent"), note: note)
        let report = PairedStatus(pairing, row: nil, sessions: [held]).report.json
        #expect(report["command"]?.string == "clawradar \(isLost ? "doctor" : "pair") \"Attic\"")
        #expect(report["reason"]?.string?.hasPrefix("\(reason): nothing is sent to it") == true)
        #expect(report["reason"]?.string?.contains("To accept it") == false)
    }

    /// The number of a pairing that is none any more leads nowhere.
    @Test func oneThatWasRevokedIsPairedByItsNameOrPlace() throws {
        for (name, word) in [("Attic", "\"Attic\""), ("$(x)", "\"10.0.0.2:3000\"")] {
            let pairing = try Pairings.pairing(name, id: "a")
            let item = BinnedPairing(pairing: pairing, reason: .revoked("not-paired"), time: 5, isWhole: true)
            #expect(PairedStatus.revoked([item], besides: []).first?.command == "clawradar pair \(word)")
        }
    }
}
