import Foundation
import Testing

/// A host that serves a zone with BIND, and forwards packets between its LANs, as a router does.
final class LabNameServer: Sendable {
    /// The domain of its zone.
    static let domain = "zone.test"

    /// The key that may change the zone.
    static let key =
        #"key "lab" { algorithm hmac-sha256; secret "bGFiLWxhYi1sYWItbGFiLWxhYi1sYWItbGFiLWxhYg=="; };"#

    let host: LabHost
    let folder: ScratchFolder

    init(_ name: String, lan: Int, interfaces: Int) async throws {
        host = try await LabHost.add(name, .bare, lan: lan, interfaces: interfaces)
        folder = try ScratchFolder()
        let forwarding = ["sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"]
        #expect(try await Lab.run(on: name, forwarding).status == 0)
    }

    /// Starts BIND with a zone of these records, relative to the domain.
    ///
    /// - Parameter others: The whole text of other zones, by their domains.
    func start(_ records: [String], ttl: Int = 60, others: [String: String] = [:]) async throws -> LabProcess {
        let zone = """
            $ORIGIN \(Self.domain).
            $TTL \(ttl)
            @ SOA ns mail 1 60 60 600 2
            @ NS ns
            ns A \(host.address)
            \(records.joined(separator: "\n"))

            """
        let file = """
            options {
              directory "\(folder.path("."))"; pid-file none; session-keyfile none; recursion no;
              listen-on port 53 { any; }; listen-on-v6 { none; }; dnssec-validation no;
              max-records-per-type 0;
            };
            controls { };
            \(Self.key)
            zone "\(Self.domain)" { type primary; file "zone.db"; allow-update { key "lab"; }; };
            \(others.keys.map { "zone \"\($0)\" { type primary; file \"\($0).db\"; };" }.joined(separator: "\n"))

            """
        // Changes of an earlier start are not those of this zone.
        try? FileManager.default.removeItem(atPath: folder.path("zone.db.jnl"))
        try zone.write(toFile: folder.path("zone.db"), atomically: true, encoding: .utf8)
        for (domain, text) in others {
            try text.write(toFile: folder.path("\(domain).db"), atomically: true, encoding: .utf8)
        }
        try file.write(toFile: folder.path("named.conf"), atomically: true, encoding: .utf8)
        let process = try Lab.start(on: host.name, "/usr/sbin/named", "-g", "-c", folder.path("named.conf"))
        let dig = ["dig", "+short", "+tries=1", "+time=1", "@\(host.address)", "SOA", Self.domain]
        var answer = try await Lab.run(on: host.name, dig)
        // Until it listens, the host refuses at once.
        var patience = Patience(.seconds(20))
        while !answer.output.contains("mail"), patience.isLeft() {
            try await Task.sleep(for: patience.step)
            answer = try await Lab.run(on: host.name, dig)
        }
        try #require(answer.output.contains("mail"), "\(answer)")
        return process
    }

    /// Changes the zone, as `nsupdate` does it.
    func update(_ lines: String...) async throws {
        let script = (["server \(host.address)", "zone \(Self.domain)"] + lines + ["send", ""]).joined(
            separator: "\n"
        )
        try script.write(toFile: folder.path("update"), atomically: true, encoding: .utf8)
        let key = "hmac-sha256:lab:bGFiLWxhYi1sYWItbGFiLWxhYi1sYWItbGFiLWxhYg=="
        let result = try await Lab.run(on: host.name, "nsupdate", "-y", key, folder.path("update"))
        try #require(result.status == 0, "\(result.errors)")
    }
}
