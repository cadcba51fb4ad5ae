import Advertising
import DNSSD
import GatewayProtocol
import Scanning
import Testing

@testable import Commands
@testable import Console

/// The messages that are printed while something is advertised, for every state of a publication.
@Suite struct AdvertiseGoldenTests {
    private static let evil = "a\u{1B}[31m\r\nb\u{202E}c"

    private static func text(_ item: PublicationText.Item?) -> String {
        switch item {
        case .result(let line): "\(line)\n"
        case .warning(let line): "2> clawradar: warning: \(DisplayText(line, limit: 2_000))\n"
        case nil: "(nothing)\n"
        }
    }

    private static let publications: [PublicationState] = [
        .publishing(waitingFor: nil), .publishing(waitingFor: BackendError(.noDaemon, "No daemon.")),
        .renamed(from: "Home", to: "Home #2"), .published(name: "Home #2"), .published(name: evil), .withdrawn,
        .failed(BackendError(.refused, "No.")),
    ]

    @Test func publication() throws {
        let types = [ServiceType.openClaw, try ServiceType("_a._tcp,_home")]
        let text = PublicationText(Advertisement(name: "Home", types: types, port: 3_000))
        try Golden.publication.expect(Self.publications.map { Self.text(text.item($0)) }.joined())
    }

    @Test func gatewayPublication() throws {
        let reasons: [WithholdingReason] = [
            .noAnswer(.refused), .noAnswer(.noAnswer(within: .seconds(1))), .noGateway(Neighbourhood.sshServer),
            .notReachable(addresses: [Neighbourhood.v4(2), Neighbourhood.linkLocal(2)]),
            .otherAtAddress(Neighbourhood.v4(2)), .noNetwork, .otherName(said: Self.evil), .noServiceType(.clawline),
            .notPublishable("a TXT record that is too long"), .otherHost(Neighbourhood.v4(9)),
        ]
        let advertisement = Advertisement(name: "Home", types: [.openClaw], port: 3_000)
        func advertising(
            _ dialect: GatewayDialect,
            _ bots: Int?,
            _ leaf: LeafFingerprint?,
            _ state: PublicationState
        ) -> AdvertisingState {
            .advertising(AdvertisedFacts(dialect: dialect, name: "Home", bots: bots, leaf: leaf), advertisement, state)
        }
        let published = PublicationState.published(name: "Home")
        let states: [AdvertisingState] =
            [.asking] + reasons.map { .withheld($0) } + Self.publications.map { advertising(.optaplus, 1, nil, $0) }
            + [advertising(.optaplus, 2, nil, published)] + reasons.prefix(1).map { .withheld($0) }
            + [advertising(.openClaw, nil, Neighbourhood.leaf, published), .ended]
            + [.failed(BackendError(.nameConflict, "All names are taken."))]
        var text = GatewayPublicationText()
        try Golden.gatewayPublication.expect(states.map { Self.text(text.item($0)) }.joined())
    }
}
