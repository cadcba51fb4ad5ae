import DNSSD
import GatewayProtocol
import Testing

@testable import Pairing

/// Who may have which secret at pairing.
@Suite struct SecretRuleTests {
    /// Only secrets that open more than this device's own access are held back: from an unproved gateway that nobody has
    /// seen, whatever else the user has agreed to, and from the eyes of everybody without the consent to that.
    @Test func sharedSecretsNeedAProofOrEyesAndTLSOrConsent() {
        for kind in SecretQuestion.Kind.allCases {
            for proof in PairingProof.allCases {
                for form in PairingConsent.Form.allCases {
                    for (isPlain, sendsInClear) in [(false, false), (false, true), (true, false), (true, true)] {
                        let rule = SecretRule(proof: proof, form: form, isPlain: isPlain)
                        let expected: SecretDecision =
                            if !kind.isShared {
                                .allowed
                            } else if form == .inAdvance && proof == .unproved {
                                .unproved
                            } else {
                                isPlain && !sendsInClear ? .inClear : .allowed
                            }
                        #expect(rule.decision(for: kind, sendsInClear: sendsInClear) == expected)
                    }
                }
            }
        }
    }

    /// Only a person's word for a certificate is a proof, and a certificate that a scan has found is none.
    @Test func aCertificateThatAScanFoundProvesNothing() throws {
        let leaf = try PairingSamples.leaf(7)
        let offer = try PairingSamples.offer(leaf: leaf)
        var target = PairingTarget(place: .endpoints([PairingSamples.endpoint]), leaf: leaf)
        #expect(offer.proof(for: target) == .unproved)
        target.demand(leaf)
        #expect(offer.proof(for: target) == .leafGiven)
        let link = try PairingLink(parsing: "optaplus://pair?host=10.0.0.5&fp=\(leaf)")
        #expect(offer.proof(for: PairingTarget(link)) == .pinInLink)
        let label = try PairingLink(parsing: "optaplus://pair?host=10.0.0.5&fp=abc123")
        #expect(offer.proof(for: PairingTarget(label)) == .unproved)
    }

    /// The URL of a setup code is the place of the gateway: host or address, port, and TLS or none.
    @Test(arguments: [
        ("wss://10.0.0.5:3000", true), ("wss://[::ffff:10.0.0.5]:3000/gw", true), ("wss://studio.local:3000", true),
        ("ws://10.0.0.5:3000", false), ("wss://10.0.0.5", false), ("wss://10.0.0.6:3000", false),
        ("wss://other.local:3000", false),
    ])
    func aCodeIsForItsPlace(url: String, isSame: Bool) throws {
        let offer = try PairingSamples.offer(leaf: PairingSamples.leaf(7))
        let parsed = try #require(GatewayURL(url))
        let addresses = parsed.host == "studio.local" ? [PairingSamples.endpoint.address] : []
        #expect(parsed.names(offer, or: [], addresses: addresses) == isSame)
    }

    /// An address that has shown the same certificate is the same place; without TLS only the very address is.
    @Test func aCodeForAnotherAddressOfTheGateway() throws {
        let url = try #require(GatewayURL("wss://10.0.0.9:4000"))
        let other = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0009)), port: 4_000)
        #expect(url.names(try PairingSamples.offer(leaf: PairingSamples.leaf(7)), or: [other], addresses: []))
        let plain = try #require(GatewayURL("ws://10.0.0.9:4000"))
        #expect(!plain.names(try PairingSamples.offer(), or: [other], addresses: []))
    }
}
