internal import Agent
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Glibc
internal import Pairing
internal import Reports

/// The control socket of a reference gateway on this host, by which the user who runs it gets one-time codes.
struct GatewayControl: Sendable {
    /// The reason why there is no answer.
    enum Problem: Error, Hashable, Sendable {
        /// Nothing of this user listens there.
        case absent
        /// The gateway refuses, for this reason.
        case refused(String)
    }

    /// The use that was made of a code.
    enum Use: Hashable, Sendable {
        case unused
        case expired
        case used(deviceID: String, name: String)
    }

    private static let timeout = Duration.seconds(5)

    /// The path of the socket.
    let path: String

    /// Returns the socket of the gateway of a pairing, if that is on this host; `nil` if it is elsewhere.
    static func ofThisHost(_ pairing: StoredPairing) -> GatewayControl? {
        guard let endpoint = pairing.endpoints.first,
            NetworkObservation.current(to: endpoint.address) == .ownHost
        else { return nil }
        let runtime = Environment.values(of: ["XDG_RUNTIME_DIR"])["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 }
        let folder = runtime.map { "\($0)/clawradar" } ?? "/tmp/clawradar-\(geteuid())"
        return GatewayControl(path: "\(folder)/gateway-\(endpoint.port).socket")
    }

    /// Makes a code that works once. In the OptaPlus dialect it replaces the one before.
    func code() throws(Problem) -> Secret {
        guard let code = try ask("code")["code"]?.secret, !code.isEmpty else { throw .refused("it gave no code") }
        return code
    }

    /// Returns what has become of a code.
    func use(of code: Secret) throws(Problem) -> Use {
        let answer = try ask("codeUse", ["token": .secret(code)])
        switch answer["state"]?.string {
        case "used":
            return .used(deviceID: answer["deviceId"]?.string ?? "", name: answer["displayName"]?.string ?? "")
        case "unused": return .unused
        default: return .expired
        }
    }

    /// Returns the devices that the gateway knows, in the OpenClaw dialect; `nil` if it does not tell them.
    func devices() -> KnownDevices? { KnownDevices(try? ask("devices")) }

    private func ask(_ method: String, _ params: [String: JSONValue] = [:]) throws(Problem) -> JSONValue {
        let request = GatewayRequest(id: "1", method: method, params: .object(params))
        do {
            let line = try ControlLine.ask(GatewayFrame.request(request).encoded, at: path, within: Self.timeout)
            guard case .response(let response) = try GatewayFrame(parsing: line) else { throw Problem.absent }
            switch response.outcome {
            case .success(let payload): return payload ?? .object([:])
            case .failure(let failure): throw Problem.refused(failure.message)
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .absent
        }
    }
}

extension GatewayControl {
    /// Waits until a code was used or has expired.
    func end(of code: Secret, until expiry: Timestamp) async -> LinkUse {
        await LinkUse.wait(until: expiry, every: .seconds(1)) {
            switch try? use(of: code) {
            case .used(let id, let name): return .end(.used(deviceID: id, name: name))
            case .expired: return .end(.expired)
            case .unused: return .nothing
            case nil: return .end(.unknown)
            }
        }
    }

    /// Waits until a device comes to a gateway of the OpenClaw dialect, or a code has expired.
    ///
    /// - Parameter before: The devices that the gateway knew before the code was made.
    func newcomer(since before: KnownDevices, until expiry: Timestamp) async -> LinkUse {
        await LinkUse.wait(until: expiry, every: .seconds(1)) {
            guard let now = devices() else { return .end(.unknown) }
            return now.newcomer(since: before).map { .end(.came($0)) } ?? .nothing
        }
    }
}
