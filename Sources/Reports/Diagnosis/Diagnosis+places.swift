internal import DNSSD
internal import GatewayProtocol

/// The causes at a place where the gateway does not answer.
extension Diagnosis {
    /// Returns the cause why the gateway does not answer at a place; `nil` if it does.
    static func finding(_ place: PlaceFacts) -> Finding? {
        let (where_, port) = (place.endpoint.description, place.endpoint.port)
        let probe = "\(place.probe) --timeout 30"
        if place.isOfContainers, !place.sources.contains(.typed), place.answer.isOfNobody {
            let interface = place.containerInterface.map { " (\(DisplayText($0, limit: 16)))" } ?? ""
            let sentence =
                "It is advertised at \(place.endpoint.address)\(interface), an address of a network of containers, which "
                + "exists inside its host alone."
            return Finding(.containerAddress, sentence, containerCommand(place), on: .gateway)
        }
        switch place.answer {
        case .gateway: return nil
        case .anotherGateway:
            return Finding(.anotherGateway, "Another gateway answers at \(where_).", place.probe)
        case .somethingElse(let what):
            let sentence = "At \(where_) is \(DisplayText(what, limit: 80)), and no gateway."
            return Finding(.notAGateway, sentence, place.probe)
        case .front(let status):
            let sentence =
                "At \(where_) only a web server answers (HTTP \(status)), and the gateway behind it does not run."
            return Finding(.frontAlone, sentence, "openclaw gateway status", on: .gateway)
        case .refused where place.isOnLoopbackAlone:
            let listener = place.listeners.first.map { "\($0)" } ?? ""
            let sentence = "Its program listens on \(listener) alone, where no other host reaches it."
            return Finding(.loopbackOnly, sentence, "openclaw config set gateway.bind lan", on: .gateway)
        case .refused:
            let sentence =
                "The host of \(where_) is there, and no program listens at port \(port) for this device: it is off, has "
                + "another port, or listens on loopback alone."
            return Finding(.portClosed, sentence, "ss -ltn \"sport = :\(port)\"", on: .gateway)
        case .notAtUsualPorts:
            let sentence =
                "At \(place.endpoint.address) is \(NoAnswer.notAtUsualPorts): it is off, or has another port, which then has to "
                + "be named."
            return Finding(.portClosed, sentence, "ss -ltn", on: .gateway)
        case .unreachable: return absence(place)
        case .silent(let time): return silence(place, time, probe)
        case .hanging(let time):
            let sentence = "It takes connections at \(where_), and answers nothing in \(time.text): it hangs."
            return Finding(.hanging, sentence, "openclaw gateway restart", on: .gateway)
        case .closed:
            let sentence = "It closes connections to \(where_) without a word."
            return Finding(.closed, sentence, probe)
        case .noTLS:
            let sentence = "No TLS came about at \(where_), and nothing answers without."
            return Finding(.noTLS, sentence, probe)
        case .notAllowed(let refusal):
            let sentence = "It is advertised at \(where_), which is never asked: \(refusal)."
            return Finding(.forbiddenAddress, sentence, "clawradar scan --no-probe")
        case .notAsked(let reason):
            let sentence = "It was not asked at \(where_): \(DisplayText(reason, limit: 80))."
            return Finding(.notAsked, sentence, probe)
        }
    }

    /// Returns the cause for an address at which nobody can be reached.
    private static func absence(_ place: PlaceFacts) -> Finding {
        let address = place.endpoint.address
        guard place.neighbour != .noRoute else {
            let sentence = "No way leads from this host to \(address): it is not connected to that network."
            return Finding(.noRoute, sentence, "ip route get \(place.bareAddress)")
        }
        let sentence = "Nobody has the address \(address) now: its host is off, asleep, or has another address."
        return Finding(.hostDown, sentence, "clawradar scan")
    }

    /// Returns the cause for a place from which nothing came back in time.
    private static func silence(_ place: PlaceFacts, _ time: Duration, _ probe: String) -> Finding {
        switch place.neighbour {
        case .unknown, .noRoute: return absence(place)
        case .known, .ownHost:
            let sentence =
                "The host of \(place.endpoint) was there a moment ago, and nothing came back from port "
                + "\(place.endpoint.port) in \(time.text): a firewall drops it, or the host has just gone."
            return Finding(.filtered, sentence, "sudo nft list ruleset", on: .gateway)
        case .beyond:
            let sentence =
                "Nothing came back from \(place.endpoint) in \(time.text): its host is off, or something on the way drops "
                + "what is sent."
            return Finding(.silent, sentence, probe)
        }
    }

    /// Returns the command by which avahi-daemon, on the host of a gateway, leaves out the interface of a network of
    /// containers, beside those that it leaves out already. Its name is looked up there where it is not known here.
    private static func containerCommand(_ place: PlaceFacts) -> String {
        let found = "$(ip -o address show to \(place.bareAddress) | awk '{print $2; exit}')"
        let name = place.containerInterface.flatMap { ShellWord($0, limit: 16)?.description } ?? found
        let edit = #"s/\ndeny-interfaces *= */&${i:?},/;t;s/\[server\]/&\ndeny-interfaces=$i/"#
        return
            "i=\(name); sudo sed -zi \"\(edit)\" /etc/avahi/avahi-daemon.conf && sudo systemctl restart avahi-daemon"
    }
}

extension PlaceFacts {
    /// The command that asks the place, or shows all places where this one could not be copied.
    var probe: String { command("probe", endpoint.description) }

    /// Returns the command that pairs with what answers there.
    ///
    /// - Parameter scheme: The scheme of the URL that stands for the place; `nil` for none.
    func pair(by scheme: String? = nil) -> String {
        command("pair", (scheme.map { "\($0)://" } ?? "") + endpoint.description)
    }

    private func command(_ verb: String, _ place: String) -> String {
        ShellWord(place).map { "clawradar \(verb) \($0)" } ?? "clawradar scan"
    }

    /// The address without its interface, whose name can have any character.
    fileprivate var bareAddress: Substring {
        let text = endpoint.address.description
        return text[..<(text.utf8.firstIndex(of: UInt8(ascii: "%")) ?? text.endIndex)]
    }
}

extension PlaceAnswer {
    /// Indicates whether nobody has answered at all.
    fileprivate var isOfNobody: Bool {
        switch self {
        case .refused, .notAtUsualPorts, .unreachable, .silent: true
        case .notAllowed(let refusal): refusal == .ownAddress
        case .gateway, .anotherGateway, .somethingElse, .front, .hanging, .closed, .noTLS, .notAsked: false
        }
    }

    /// The answer in a few words for people; cleaned.
    var text: String {
        switch self {
        case .gateway: "it answers"
        case .anotherGateway: "another gateway is there"
        case .somethingElse(let what): "\(DisplayText(what, limit: 80))"
        case .front(let status): "only a web server answers (HTTP \(status))"
        case .refused: "connection refused"
        case .notAtUsualPorts: "\(NoAnswer.notAtUsualPorts)"
        case .unreachable: "unreachable"
        case .silent(let time), .hanging(let time): "no answer in \(time.text)"
        case .closed: "closed without a word"
        case .noTLS: "no TLS"
        case .notAllowed(let refusal): "\(refusal)"
        case .notAsked(let reason): "not asked: \(DisplayText(reason, limit: 80))"
        }
    }
}

extension Duration {
    /// The duration in seconds, with a tenth where it has one.
    fileprivate var text: String {
        let tenths = max(Int((self / .milliseconds(100)).rounded()), 1)
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
