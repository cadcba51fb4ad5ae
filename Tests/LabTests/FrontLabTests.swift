import Foundation
import Testing

extension LabTests {
    /// Several gateways behind one front, as users deploy them: nginx with one certificate, and each gateway at a port,
    /// a path or a host name of its own. Each is a gateway of its own.
    @Suite struct FrontLabTests {
        /// A gateway behind the front.
        struct Kind: Sendable {
            let name: String
            let isOpenClaw: Bool
            let port: Int
            var path = "/"

            /// The host name by which the front tells it from others; `nil` where it answers to any.
            var host: String?

            static func optaplus(_ name: String, _ port: Int, _ path: String = "/", host: String? = nil) -> Kind {
                Kind(name: name, isOpenClaw: false, port: port, path: path, host: host)
            }

            static func openClaw(_ name: String, _ port: Int, _ path: String = "/", host: String? = nil) -> Kind {
                Kind(name: name, isOpenClaw: true, port: port, path: path, host: host)
            }
        }

        /// Two fronts in networks of their own, at once.
        @Test func twoByPathAndTwoOfOpenClawByPort() async throws {
            let paths: [Kind] = [.optaplus("Attic", 8_440, "/attic/"), .optaplus("Bath", 8_440, "/bath/")]
            let ports: [Kind] = [.openClaw("Cellar", 8_441), .openClaw("Den", 8_442)]
            _ = try await [("paths", 60, paths), ("ports", 61, ports)].atOnce { try await Self.play($0, lan: $1, $2) }
        }

        @Test func fiveOfBothByPortAndByPath() async throws {
            try await Self.play(
                "five",
                lan: 62,
                [
                    .optaplus("Attic", 8_440, "/attic/"), .openClaw("Bath", 8_440, "/bath/"),
                    .openClaw("Cellar", 8_440, "/cellar/"), .optaplus("Den", 8_441), .openClaw("Entry", 8_442),
                ]
            )
        }

        /// One certificate, one address and one port: the name alone, in TLS and in the request, tells them apart.
        @Test func fourOfBothByHostName() async throws {
            try await Self.play(
                "sites",
                lan: 46,
                [
                    .optaplus("Attic", 8_440, host: "attic.clawradar.test"),
                    .openClaw("Bath", 8_440, host: "bath.clawradar.test"),
                    .openClaw("Cellar", 8_440, host: "cellar.clawradar.test"),
                    .openClaw("Den", 8_440, "/den/", host: "den.clawradar.test"),
                ]
            )
        }

        /// With a certificate of an authority for its host name, its renewal is noticed by nobody.
        @Test func anAuthorityRenewsTheCertificate() async throws {
            let hosts = try await LabHost.add([("named-home", .bare, 1), ("named-device", .bare, 1)], lan: 63)
            let stage = try await FrontStage(
                home: hosts[0],
                named: "front.clawradar.test",
                device: LabDevice(on: hosts[1]),
                [
                    .optaplus("Attic", 8_440, "/attic/"), .openClaw("Bath", 8_440, "/bath/"),
                    .openClaw("Cellar", 8_441), .optaplus("Den", 8_442),
                    .openClaw("Entry", 8_443, host: "entry.clawradar.test"),
                    .optaplus("Foyer", 8_443, host: "foyer.clawradar.test"),
                ]
            )
            try await stage.eachIsARow()
            try await stage.eachIsAPairing()
            let watch = try SessionWatch(of: stage.device, ["--verbose"])
            try await stage.eachHasItsSession(watch, "at first")
            try await stage.oneIsStopped(watch)
            try await stage.theCertificateIsRenewedByItsAuthority(watch)
            try await stage.noTokenWentAstray()
            try await watch.stop()
            try await stage.stop()
        }

        private static func play(_ name: String, lan: Int, _ kinds: [Kind]) async throws {
            let hosts = try await LabHost.add([("\(name)-home", .bare, 1), ("\(name)-device", .bare, 1)], lan: lan)
            let stage = try await FrontStage(home: hosts[0], device: LabDevice(on: hosts[1]), kinds)
            try await stage.eachIsARow()
            try await stage.eachIsAPairing()
            let watch = try SessionWatch(of: stage.device, ["--verbose"])
            try await stage.eachHasItsSession(watch, "at first")
            try await stage.oneIsStopped(watch)
            try await stage.theFrontIsRestarted(watch)
            try await stage.theFrontForgetsOne(watch)
            try await stage.theCertificateIsRenewed(watch)
            try await stage.noTokenWentAstray()
            try await watch.stop()
            try await stage.stop()
        }
    }
}
