import Foundation
import Testing

/// A front with several gateways behind it, and a device that sees them only through it.
struct FrontStage: Sendable {
    typealias Kind = LabTests.FrontLabTests.Kind

    /// The time within which a gateway that stops is *gone*, while its front answers.
    private static let patience = Duration.seconds(10)

    let home: LabHost

    /// The host name of the front, for which an authority certifies it that the device trusts; `nil` where the front has
    /// a self-signed certificate, and is typed in by its address.
    private let name: String?
    let device: LabDevice
    let front: LabFront
    private let folder: ScratchFolder
    private let gateways: [Member]
    private let token: SecretFile

    /// A gateway behind the front.
    private struct Member: Sendable {
        let kind: Kind
        let gateway: LabGateway
        let port: Int
        let log: SecretLogFile
    }

    init(home: LabHost, named name: String? = nil, device: LabDevice, _ kinds: [Kind]) async throws {
        (self.home, self.name, self.device) = (home, name, device)
        folder = try ScratchFolder()
        token = try SecretFile(folder.path("token"))
        let (folder, token) = (folder, token)
        gateways = kinds.enumerated().map { index, kind in
            let log = SecretLogFile(folder.path("\(kind.name).log"))
            var options = ["--no-advertise", "--state", folder.path("\(kind.name).json"), "--log-secrets", log.path]
            if kind.isOpenClaw {
                options += ["--dialect", "openclaw", "--approve", "auto", "--token-file", token.path]
            }
            let gateway = LabGateway(kind.name, on: home, listen: "127.0.0.1", options)
            return Member(kind: kind, gateway: gateway, port: 4_101 + index, log: log)
        }
        front = try LabFront(
            on: home,
            named: name,
            gateways.map {
                LabFront.Route(
                    port: $0.kind.port,
                    path: $0.kind.path,
                    gatewayPort: $0.port,
                    host: $0.kind.host
                )
            }
        )
        try await front.certify()
        let names = Set(kinds.compactMap { $0.host ?? name }).sorted()
        let authority = name == nil ? nil : front.authority
        if !names.isEmpty { try await Self.know(names, at: home, by: authority, on: device.host, folder) }
        try await front.start()
        _ = try await gateways.atOnce { try await $0.gateway.start(port: $0.port) }
    }

    /// Makes a device resolve the host names of a front, and trust its authority, if it has one.
    static func know(
        _ names: [String],
        at home: LabHost,
        by authority: String?,
        on device: LabHost,
        _ folder: ScratchFolder
    ) async throws {
        let hosts = folder.path("hosts")
        try Data("127.0.0.1 localhost\n\(home.address) \(names.joined(separator: " "))\n".utf8).write(
            to: URL(fileURLWithPath: hosts)
        )
        let authorities = authority.map { [($0, "/etc/ssl/certs/ca-certificates.crt")] } ?? []
        for (file, place) in [(hosts, "/etc/hosts")] + authorities {
            let mounted = try await Lab.run(on: device.name, "mount", "--bind", file, place)
            try #require(mounted.status == 0, "\(mounted.errors)")
        }
    }

    func stop() async throws {
        _ = try await gateways.atOnce { try await $0.gateway.stop() }
        try await front.stop()
    }

    /// The host name by which a gateway is typed in; `nil` for the address.
    private func host(_ kind: Kind) -> String? { kind.host ?? name }

    private func url(_ kind: Kind) -> String { "wss://\(host(kind) ?? home.address):\(kind.port)\(kind.path)" }

    /// The endpoint of a gateway as rows and sessions show it: with its host name and its path where they were typed.
    private func place(_ kind: Kind) -> String {
        "\(host(kind).map { "\($0)=" } ?? "")\(home.address):\(kind.port)\(kind.path == "/" ? "" : kind.path)"
    }

    /// The options with which a verb asks all of them.
    var typed: [String] { gateways.flatMap { ["--gateway", url($0.kind)] } }

    private func watchRows() throws -> RowWatch { try RowWatch(on: device.host, typed) }

    /// Returns the row whose first path is a place.
    private func row(_ watch: RowWatch, at place: String) -> FoundGateway? {
        watch.rows.values.first { $0.paths.first?.endpoint == place }
    }

    // MARK: What is to be seen

    /// Each typed URL is an entry, and each gateway a row, at whose path it was asked.
    func eachIsARow() async throws {
        let watch = try watchRows()
        let all = await InProcess.wait(within: .seconds(20)) {
            gateways.allSatisfy { row(watch, at: self.place($0.kind))?.liveness == "answering" }
        }
        let rows = watch.rows.values.map { "\($0.name) \($0.paths.map(\.endpoint)) \($0.liveness ?? "-") \($0.flags)" }
        #expect(all, "rows: \(rows)")
        #expect(rows.count == gateways.count, "rows: \(rows)")
        for member in gateways {
            let row = row(watch, at: place(member.kind))
            #expect(row?.dialect == (member.kind.isOpenClaw ? "openclaw" : "optaplus"), "\(rows)")
            if !member.kind.isOpenClaw { #expect(row?.name == member.kind.name, "\(rows)") }
            #expect(row?.paths.count == 1, "\(rows)")
            #expect(row?.flags == [], "\(rows)")
        }
        try await watch.stop()
        let scan = try await device.run(["scan"] + typed)
        for member in gateways { #expect(scan.output.contains(place(member.kind)), "\(scan.output)") }
    }

    /// Each gateway is paired with, none of which is taken for another.
    func eachIsAPairing() async throws {
        let leaf = try await front.leaf()
        for member in gateways {
            var arguments = ["pair", url(member.kind), "--yes", "--timeout", "20"]
            if name == nil { arguments += ["--certificate", leaf] } else { arguments += ["--name", member.kind.name] }
            if member.kind.isOpenClaw { arguments += ["--token-file", token.path] }
            if member.kind.isOpenClaw, name == nil { arguments += ["--name", member.kind.name] }
            let paired = try await device.run(arguments)
            #expect(paired.status == 0, "\(member.kind.name): \(paired.output) \(paired.errors)")
            #expect(!paired.output.contains("already"), "\(member.kind.name): \(paired.output)")
            #expect(!paired.errors.contains("already"), "\(member.kind.name): \(paired.errors)")
        }
        let pairings = try await device.pairings()
        try #require(pairings.map(\.name).sorted() == gateways.map(\.kind.name).sorted(), "\(pairings)")
        for member in gateways {
            let pairing = pairings.first { $0.name == member.kind.name }
            #expect(pairing?.endpoints == [place(member.kind)], "\(pairings)")
        }
    }

    /// Each session is connected, at the place of its gateway.
    func eachHasItsSession(_ watch: SessionWatch, _ moment: String, within limit: Duration = .seconds(30)) async throws
    {
        for member in gateways {
            let name = member.kind.name
            let named = "\(host(member.kind) ?? ""):\(member.kind.port)\(member.kind.path)"
            let paths = [place(member.kind), named]
            let session = try await watch.session(name, "connected", on: paths, within: limit)
            let last = watch.last(name)
            #expect(
                session != nil,
                "\(moment), \(name): \(last?.state ?? "-") \(last?.path ?? "") \(last?.reason ?? "") \(watch.lastLog)"
            )
        }
        try await noTokenWentAstray()
    }

    /// No gateway has been sent a token of another.
    func noTokenWentAstray() async throws {
        let pairings = try await device.pairings()
        for member in gateways {
            let lines = member.log.lines
            for pairing in pairings {
                let tokens = pairing.credentials.compactMap(\.token)
                #expect(!tokens.isEmpty, "\(pairing.name)")
                let isReceived = lines.contains { line in tokens.contains { line.contains($0) } }
                if pairing.name != member.kind.name {
                    #expect(!isReceived, "\(member.kind.name) was sent a token of \(pairing.name)")
                }
            }
        }
    }

    // MARK: What happens

    /// One gateway after the other stops, while the front answers in its place: it is gone, and the others are not.
    func oneIsStopped(_ sessions: SessionWatch) async throws {
        let watch = try watchRows()
        for member in gateways {
            _ = await InProcess.wait(within: .seconds(20)) {
                gateways.allSatisfy { row(watch, at: self.place($0.kind))?.liveness == "answering" }
            }
            let (place, name) = (self.place(member.kind), member.kind.name)
            let stopped = ContinuousClock.now
            try await member.gateway.stop()
            let isGone = await InProcess.wait(within: .seconds(20)) {
                row(watch, at: place)?.liveness == "gone"
            }
            let time = watch.events.first { event in
                event.time > stopped && event.row.liveness == "gone" && event.row.paths.first?.endpoint == place
            }.map { $0.time - stopped }
            let lines = watch.events.filter { $0.time > stopped }.map { event in
                "\(event.time - stopped) \(event.event) \(event.row.id) \(event.row.liveness ?? "-") "
                    + "\(event.row.paths.map(\.endpoint)) \(event.row.problems)"
            }.joined(separator: "\n")
            #expect(isGone, "\(name):\n\(lines)")
            #expect(time.map { $0 <= Self.patience } == true, "\(name): \(time.map { "\($0)" } ?? "never")\n\(lines)")
            print("front: \(name) stopped, gone after \(time.map { "\($0)" } ?? "never")")
            for other in gateways where other.kind.name != name {
                #expect(row(watch, at: self.place(other.kind))?.liveness == "answering", "\(other.kind.name)\n\(lines)")
                #expect(sessions.last(other.kind.name)?.state == "connected", "\(other.kind.name)")
            }
            #expect(sessions.last(name)?.state != "connected", "\(name)")
            try await member.gateway.start(port: member.port)
            let isBack = await InProcess.wait(within: .seconds(75)) {
                row(watch, at: place)?.liveness == "answering"
            }
            #expect(isBack, "\(name) is back, and the row is not")
            let isConnected = try await sessions.settles(name, "connected", within: .seconds(75))
            #expect(isConnected, "\(name): \(sessions.last(name)?.reason ?? "")")
        }
        #expect(watch.rows.count == gateways.count, "\(watch.rows.values.map { $0.paths.map(\.endpoint) })")
        try await watch.stop()
        try await eachHasItsSession(sessions, "after each was stopped")
    }

    /// The front no longer leads to one gateway: that is gone, and looked for at no place of another.
    func theFrontForgetsOne(_ sessions: SessionWatch) async throws {
        guard let member = gateways.last(where: \.kind.isOpenClaw) ?? gateways.last else { return }
        let (place, name) = (self.place(member.kind), member.kind.name)
        let watch = try watchRows()
        _ = await InProcess.wait(within: .seconds(20)) { row(watch, at: place)?.liveness == "answering" }
        try await front.stop()
        try await front.start(without: member.port)
        let isGone = await InProcess.wait(within: .seconds(20)) { row(watch, at: place)?.liveness == "gone" }
        let found = row(watch, at: place)
        #expect(isGone, "\(name): \(found.map { "\($0)" } ?? "no row")")
        for other in gateways where other.kind.name != name {
            #expect(
                try await sessions.settles(other.kind.name, "connected", within: .seconds(75)),
                "\(other.kind.name)"
            )
        }
        let failed = { sessions.process.errorText.components(separatedBy: "no session gateway=\(name)").count }
        let before = failed()
        #expect(await InProcess.wait(within: .seconds(60)) { failed() >= before + 2 }, "\(sessions.lastLog)")
        #expect(sessions.last(name)?.state == "gone", "\(name): \(sessions.last(name)?.reason ?? "")")
        try await noTokenWentAstray()
        try await watch.stop()
        try await front.stop()
        try await front.start()
        try await eachHasItsSession(sessions, "after the front leads to it again", within: .seconds(75))
    }

    /// The front restarts, and with it all connections.
    func theFrontIsRestarted(_ sessions: SessionWatch) async throws {
        try await front.stop()
        for member in gateways {
            let isLost = try await sessions.settles(member.kind.name, "gone", within: .seconds(20))
            #expect(isLost, "\(member.kind.name): \(sessions.last(member.kind.name)?.state ?? "-")")
        }
        try await front.start()
        try await eachHasItsSession(sessions, "after the front was restarted", within: .seconds(75))
    }

    /// The front shows a new certificate of its authority, and nobody notices.
    func theCertificateIsRenewedByItsAuthority(_ sessions: SessionWatch) async throws {
        try await front.stop()
        try await front.certify()
        let renewed = ContinuousClock.now
        try await front.start()
        try await eachHasItsSession(sessions, "after the authority has renewed it", within: .seconds(75))
        for member in gateways {
            let story = sessions.transcript(of: member.kind.name, since: renewed)
            #expect(!story.contains("changed-certificate") && !story.contains("uncertified"), "\(story)")
        }
    }

    /// The front shows a new self-signed certificate: nothing is sent to it before the user has consented, once for each
    /// gateway.
    func theCertificateIsRenewed(_ sessions: SessionWatch) async throws {
        try await front.stop()
        try await front.certify()
        try await front.start()
        let leaf = try await front.leaf()
        for member in gateways {
            let isSeen = try await sessions.settles(member.kind.name, "changed-certificate", within: .seconds(75))
            #expect(isSeen, "\(member.kind.name): \(sessions.last(member.kind.name)?.state ?? "-")")
        }
        for member in gateways {
            let trusted = try await device.run(["trust", member.kind.name, "--certificate", leaf, "--timeout", "20"])
            #expect(trusted.status == 0, "\(member.kind.name): \(trusted.output) \(trusted.errors)")
        }
        try await eachHasItsSession(sessions, "after the certificate was renewed", within: .seconds(75))
    }
}
