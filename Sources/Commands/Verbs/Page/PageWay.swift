internal import Agent
internal import Console
internal import GatewayProtocol
internal import HostSystem

/// A way into the page that the agent of this user has made.
struct PageWay: Hashable, Sendable {
    /// The variables that a desktop sets on which a browser can be shown.
    private static let desktops = ["DISPLAY", "WAYLAND_DISPLAY"]

    /// The command that opens a file as the desktop does, and outlives this one.
    private static let opener = ["sh", "-c", #"command -v xdg-open >/dev/null && exec setsid -f xdg-open "$1""#, "sh"]

    let port: Int
    let address: String

    /// The path of the file that leads a browser there; `nil` if none was wanted.
    let file: String?

    /// Opens the page, or prints its address where no browser can be shown.
    ///
    /// - Parameter link: A link to a gateway, which the page asks about; `nil` for none.
    static func open(_ link: String?, prints: Bool) throws {
        let hasDesktop = Environment.values(of: desktops).values.contains { !$0.isEmpty }
        let way = try PageWay(link, handsOver: hasDesktop && !prints)
        if let file = way.file {
            guard ServiceManagerCalls.run(opener + [file]) != 0 else {
                return Notes.note("the page opens in your browser. If it does not: clawradar page --print")
            }
            Notes.warning("xdg-open is not there, or has failed: the page is not opened.")
        }
        let names = Environment.values(of: ["USER"])
        try StandardOutput().write(way.text(user: names["USER"], host: SystemHostName.label))
    }

    /// Asks the agent for one.
    private init(_ link: String?, handsOver: Bool) throws(CommandFailure) {
        var members: [String: JSONValue] = ["file": .bool(handsOver)]
        if let link { members["invitation"] = .string(link) }
        let answer: AgentAnswer
        do throws(AgentClientError) {
            let body = JSONValue.object(members).encoded
            answer = try AgentOption.client.ask("POST", "/api/v1/page", body: body)
        } catch {
            throw error == .absent
                ? CommandFailure(
                    .nothingFound,
                    "no agent of this user runs, which the page asks. `clawradar agent` runs one, and "
                        + "`clawradar agent install` has your systemd do so."
                )
                : CommandFailure(.unavailable, "\(error)")
        }
        let document = answer.document
        guard answer.status == 200, let port = document?["port"]?.int, let address = document?["address"]?.string else {
            let isOld = answer.status == 404
            let reason = isOld ? "it is older than this program: restart it" : document?["detail"]?.string
            throw CommandFailure(.unavailable, "the agent has no page: \(reason ?? "\(answer.status)")")
        }
        self.init(port: port, address: address, file: document?["file"]?.string)
    }

    init(port: Int, address: String, file: String?) {
        (self.port, self.address, self.file) = (port, address, file)
    }

    /// Returns the address, and how it is reached from another machine.
    func text(user: String?, host: String?) -> String {
        """
        \(address)
        It works once, within 5 minutes. From another machine, first:
        ssh -L \(port):127.0.0.1:\(port) \(user.map { "\($0)@" } ?? "")\(host ?? "HOST")

        """
    }
}
