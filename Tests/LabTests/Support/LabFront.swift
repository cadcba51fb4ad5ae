import Foundation
import Glibc
import Synchronization
import Testing

/// nginx on a host, as Debian ships it, in front of gateways of that host: TLS with one certificate for all of them, each
/// at a port, a path or a host name of its own. What belongs to no gateway is answered by nginx itself, with its own 404; and with its
/// own 502 where the gateway behind a place does not run.
final class LabFront: Sendable {
    /// A place at the front, and the port of the gateway behind it.
    struct Route: Sendable {
        let port: Int
        let path: String
        let gatewayPort: Int

        /// The host name by which the front tells it from others at its port; `nil` where it answers to any.
        var host: String?
    }

    let host: LabHost

    /// The host name for which an authority certifies it; `nil` where its certificate is self-signed.
    private let name: String?
    private let routes: [Route]
    private let folder: ScratchFolder

    /// The process of nginx while it runs.
    private let process = Mutex<LabProcess?>(nil)

    init(on host: LabHost, named name: String?, _ routes: [Route]) throws {
        (self.host, self.name, self.routes) = (host, name, routes)
        folder = try ScratchFolder()
    }

    /// The file with the certificate and its key.
    var certificate: String { certificate(of: name) }

    private func certificate(of host: String?) -> String {
        guard let name = name == nil ? nil : host ?? name else { return folder.path("certificate.pem") }
        return folder.path("certificates/\(name).pem")
    }

    /// The file with the certificate of the authority, if there is one.
    var authority: String { folder.path("certificates/authority.pem") }

    /// Makes a new certificate: signed by the authority, which stays the same, or else self-signed.
    func certify() async throws {
        if let name {
            let names = Set([name] + routes.compactMap(\.host)).sorted()
            let made = try await LabProcess([Lab.tool("certify"), folder.path("certificates")] + names)
                .finish(within: .seconds(20))
            return try #require(made.status == 0, "\(made.errors)")
        }
        let (key, certificate) = (folder.path("key"), folder.path("leaf"))
        let made = try await LabProcess(
            ["/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
                + ["-keyout", key, "-out", certificate, "-days", "30", "-subj", "/CN=front"]
        ).finish(within: .seconds(20))
        try #require(made.status == 0, "\(made.errors)")
        let both = try [certificate, key].map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
        try Data(both.utf8).write(to: URL(fileURLWithPath: self.certificate))
    }

    /// The SHA-256 of the certificate, as `--certificate` takes it.
    func leaf() async throws -> String {
        let shown = try await LabProcess(
            ["/usr/bin/openssl", "x509", "-in", certificate, "-noout", "-fingerprint", "-sha256"]
        ).finish(within: .seconds(20)).output
        let digits = shown.split(separator: "=").last ?? ""
        return digits.filter(\.isHexDigit).lowercased()
    }

    /// Starts it, and waits until it listens.
    ///
    /// - Parameter gatewayPort: The port of a gateway to which it leads no more: where it had a path, the front has a 404
    ///   of its own, and where it had a port, nothing listens there.
    func start(without gatewayPort: Int? = nil) async throws {
        let routes = routes.filter { $0.gatewayPort != gatewayPort }
        try Data(configuration(routes).utf8).write(to: URL(fileURLWithPath: folder.path("nginx.conf")))
        let command = ["/usr/sbin/nginx", "-p", folder.path(""), "-c", folder.path("nginx.conf")]
        let started = try Lab.start(on: host.name, command)
        process.withLock { $0 = started }
        for port in Set(routes.map(\.port)) {
            let question = ["python3", "-c", Self.waiting, host.address, "\(port)"]
            let answer = try await Lab.run(on: host.name, question)
            try #require(answer.status == 0, "\(answer.errors)")
        }
    }

    private static let waiting = """
        import socket, sys, time
        for _ in range(200):
            try:
                socket.create_connection((sys.argv[1], int(sys.argv[2])), 1).close()
                sys.exit(0)
            except OSError:
                time.sleep(0.05)
        sys.exit("nothing listens on port " + sys.argv[2])
        """

    /// Stops it, and all connections through it.
    func stop() async throws {
        _ = try await process.withLock { $0.take() }?.stop(SIGTERM)
    }

    /// A `server` of nginx.
    private struct Site: Hashable {
        let port: Int
        let host: String?
    }

    private func configuration(_ routes: [Route]) -> String {
        let sites = Dictionary(grouping: routes) { Site(port: $0.port, host: $0.host) }
        // A front by names has a site of its own for all others.
        let ports = Set(self.routes.filter { $0.host != nil }.map(\.port))
        let others = ports.map { (Site(port: $0, host: nil), [Route]()) }
        let servers = (sites.map { ($0, $1) } + others).map { site, routes in
            let locations = routes.map { route in
                """
                        location \(route.path) {
                            proxy_pass http://127.0.0.1:\(route.gatewayPort)/;
                            proxy_http_version 1.1;
                            proxy_set_header Upgrade $http_upgrade;
                            proxy_set_header Connection $connection_upgrade;
                            proxy_set_header Host $host;
                            proxy_read_timeout 3600s;
                        }
                """
            }
            return """
                    server {
                        listen \(site.port) ssl\(site.host == nil ? " default_server" : "");
                        server_name \(site.host ?? "_");
                        ssl_certificate \(certificate(of: site.host));
                        ssl_certificate_key \(certificate(of: site.host));
                \(locations.joined(separator: "\n"))
                    }
                """
        }
        return """
            daemon off;
            user root;
            pid \(folder.path("nginx.pid"));
            error_log \(folder.path("error.log"));
            worker_processes 1;
            events { worker_connections 1024; }
            http {
                access_log off;
                client_body_temp_path \(folder.path("body"));
                proxy_temp_path \(folder.path("proxy"));
                fastcgi_temp_path \(folder.path("fastcgi"));
                uwsgi_temp_path \(folder.path("uwsgi"));
                scgi_temp_path \(folder.path("scgi"));
                map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
            \(servers.joined(separator: "\n"))
            }
            """
    }
}
