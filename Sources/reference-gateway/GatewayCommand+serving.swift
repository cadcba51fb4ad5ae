internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import HostSystem
internal import ReferenceGateway

/// The running gateway of `reference-gateway`: advertised, operated, and ended.
extension GatewayCommand {
    /// Prints where the gateway listens, opens its control socket, advertises it if that is allowed, and waits for the
    /// end.
    func serve(_ server: GatewayServer, _ state: GatewayState, _ leaf: LeafFingerprint?) async throws {
        let manners = misbehave.map { ", \($0.rawValue) on purpose" } ?? ""
        let bots = state.bots.count == 1 ? "1 bot" : "\(state.bots.count) bots"
        try StandardOutput().write(
            "gateway \"\(DisplayText(state.name))\" listens on \(dialect.location(server.endpoint, isSecure: leaf != nil)) "
                + "(\(dialect.rawValue), \(bots)\(manners); Ctrl-C ends it)\n"
                + identification(server.endpoint, leaf)
        )
        if access.startsWithCode(dialect, host: host) { try await showCode(of: server) }
        guard let socket = GatewayOperation(state: self.state, ports: [server.endpoint.port]).sockets.first,
            dialect.hasOperator
        else { return try await stay(server, state, leaf) }
        do {
            try await server.withControl(at: socket) { try await stay(server, state, leaf) }
        } catch let error as ReferenceGatewayError where error.code == .noControl {
            let matters = dialect.hasApprovals || access.pairing == .code
            if matters || common.verbose { Notes.warning("it cannot be operated: \(error.message)") }
            try await stay(server, state, leaf)
        }
    }

    /// Prints a code with which a device can pair.
    private func showCode(of server: GatewayServer) async throws {
        let response = await server.operate(GatewayRequest(id: "1", method: "code"))
        guard case .success(let payload?) = response?.outcome, let code = payload["code"]?.string else { return }
        let (name, life) = dialect == .openClaw ? ("setup", "10") : ("pairing", "5")
        let output = StandardOutput()
        try output.write("\(name) code: \(code) (for one device, within \(life) minutes)\n")
        guard let link = payload["link"]?.string else { return }
        try output.write("pairing link: \(link)\n" + LinkPicture.lines(of: link, on: output))
    }

    /// Returns the lines by which a user who pairs recognizes the gateway: the digits of its certificate, and a link that
    /// names them, with its QR code on a terminal; empty without TLS.
    func identification(_ endpoint: Endpoint, _ leaf: LeafFingerprint?) -> String {
        guard let leaf else { return "" }
        let digits = "certificate: sha256 \(leaf)\n"
        // A link leads to OptaPlus gateways, and one without the code would not pair.
        guard dialect == .optaplus, access.pairing != .code, fp == nil else { return digits }
        let place = host.isUnspecified ? "\(SystemHostName.current).local" : "\(endpoint.address)"
        let link = GatewayLink(host: place, port: endpoint.port, fingerprint: "\(leaf)").text(code: nil)
        return digits + "pairing link: \(link)\n" + LinkPicture.lines(of: link, on: StandardOutput())
    }

    /// Advertises the gateway if that is allowed, and waits for the end.
    private func stay(_ server: GatewayServer, _ state: GatewayState, _ leaf: LeafFingerprint?) async throws {
        if host.isLoopback { Notes.note("only this host reaches it: it listens on loopback; --host :: lets others in") }
        if let reason = reasonNotToAdvertise {
            Notes.note("it is not advertised: \(reason)")
        } else {
            do {
                try await advertise(server, state, leaf)
                return
            } catch let failure as CommandFailure {
                // A gateway that is not advertised can still be used.
                Notes.warning("it is not advertised: \(failure.message)")
            }
        }
        await Signals.waitForEnd()
    }

    private func advertise(_ server: GatewayServer, _ state: GatewayState, _ leaf: LeafFingerprint?) async throws {
        let advertisement: Advertisement
        do {
            advertisement = Advertisement(
                name: state.name,
                types: types.isEmpty ? [dialect.serviceType ?? .openClaw] : types,
                port: server.endpoint.port,
                txt: try state.txtRecord(for: dialect, port: server.endpoint.port, leaf: leaf)
            )
        } catch {
            throw CommandFailure(.usage, error.message)
        }
        try await common.publish(advertisement)
    }
}
