internal import ArgumentParser
internal import Console
internal import DNSSD
internal import HostSystem

/// The option for the interfaces of this host to use.
struct InterfaceOption: ParsableArguments {
    @Option(
        name: .customLong("interface"),
        help: ArgumentHelp("Use only this network interface; can be repeated. Default: all.", valueName: "name"),
        // A shell command would have its output expanded, and an interface can have nearly any name.
        completion: .custom { _, _, _ in HostInterface.all.map(\.interface.name).filter(CompletionWord.isSafe) }
    )
    var interfaces: [String] = []

    func validate() throws {
        guard !interfaces.isEmpty else { return }
        let known = HostInterface.all.map(\.interface.name)
        for name in interfaces where !known.contains(name) {
            let list = known.isEmpty ? "none" : known.joined(separator: ", ")
            throw ValidationError("There is no interface “\(name)”. This host has: \(list).")
        }
    }
}
