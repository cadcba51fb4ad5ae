internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// The end of a link that works once, for whoever has made it.
enum LinkUse: Hashable, Sendable {
    /// A device has used it.
    case used(deviceID: String, name: String)

    /// A device has come to the gateway since it was made: the gateway does not say by which link or code.
    case came(KnownDevices.Device)

    /// Nobody has used it, and it works no more.
    case expired

    /// Nobody has used it so far, and the user has ended the waiting.
    case unused

    /// The gateway does not answer.
    case unknown

    /// A look at a link at one moment.
    enum Look: Sendable {
        case nothing
        case unanswered
        case end(LinkUse)
    }

    /// Waits for the end of a link.
    ///
    /// - Parameters:
    ///   - expiry: The time at which it expires.
    ///   - interval: The pause between two looks.
    ///   - look: Asks the gateway.
    static func wait(
        until expiry: Timestamp,
        every interval: Duration,
        _ look: @escaping @Sendable () async -> Look
    ) async -> LinkUse {
        let progress = ProgressLine()
        defer { progress?.clear() }
        // The gateway counts from a moment before.
        let end = ContinuousClock.now + .milliseconds(expiry.milliseconds - Timestamp.now.milliseconds + 2_000)
        return await withTaskGroup(of: LinkUse.self) { group in
            group.addTask {
                var isAnswered = true
                while !Task.isCancelled, ContinuousClock.now < end {
                    switch await look() {
                    case .end(let use): return use
                    case .nothing: isAnswered = true
                    case .unanswered: isAnswered = false
                    }
                    let left = max(0, (end - .now).components.seconds)
                    progress?.show("waiting for the link to be used, \(left) s more; Ctrl-C ends only the waiting …")
                    try? await Task.sleep(for: interval)
                }
                return isAnswered ? .expired : .unknown
            }
            group.addTask {
                await Signals.waitForEnd()
                return .unused
            }
            let first = await group.next() ?? .unused
            group.cancelAll()
            return first
        }
    }

    /// Returns the sentence for people.
    ///
    /// - Parameters:
    ///   - expiry: The time until which the link works.
    ///   - isAdmin: Indicates whether this device can approve others there.
    func text(until expiry: Timestamp, isAdmin: Bool) -> String {
        switch self {
        case .used(let id, let name):
            let device = "\(PromptLines.quoted(name, in: nil)) (device \(DisplayText(id, limit: 64)))"
            return "the link was used by \(device). It works no more."
        case .came(let device):
            let name = device.name.map { PromptLines.quoted($0, in: nil) } ?? "a device without a name"
            let shown = "\(name) (device \(DisplayText(String(device.id.prefix(8)), limit: 8)))"
            guard let request = device.requestID else {
                return "\(shown) has come since the link was made, and is paired."
            }
            let approve = isAdmin ? ": clawradar approve \(request)" : "."
            return "\(shown) has come since the link was made, and waits for an approval\(approve)"
        case .expired: return "nobody has used the link. It works no more."
        case .unused:
            return "nobody has used the link so far; it stays valid until \(TimeText.localDay(expiry))."
        case .unknown:
            return "the gateway does not answer any more: it is not known whether the link was used."
        }
    }
}

/// The end of a link as outsiders read it.
struct LinkUseReport: JSONReport {
    let pairing: StoredPairing
    let use: LinkUse

    var fields: [String: JSONValue] {
        var (state, device, name, request): (String, String?, String?, String?) = ("", nil, nil, nil)
        switch use {
        case .used(let id, let claimed): (state, device, name) = ("used", id, claimed)
        case .came(let found):
            (state, device, name, request) = (
                found.requestID == nil ? "paired" : "waiting", found.id, found.name, found.requestID
            )
        case .expired: state = "expired"
        case .unused: state = "unused"
        case .unknown: state = "unknown"
        }
        return [
            "pairing": .string(pairing.id.description), "use": .string(state), "device": JSONValue(device),
            "deviceName": JSONValue(name), "request": JSONValue(request),
        ]
    }
}
