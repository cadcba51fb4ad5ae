import DNSSD
import Foundation
import GatewayProtocol

/// One line of output.
enum Line {
    /// Shows a change: `+` found, `~` changed, `-` lost.
    static func show(_ change: ServiceChange) {
        switch change {
        case .found(let service):
            print("+ \(description(of: service))")
        case .changed(let service, let aspects):
            let names = aspects.sorted().map(\.rawValue).joined(separator: ", ")
            print("~ \(description(of: service))  (new: \(names))")
        case .lost(let service, let reason):
            print("- \(description(of: service))  (\(reason.rawValue))")
        }
    }

    /// Prints a line at once, also into a pipe.
    static func print(_ text: String) {
        Swift.print(text)
        fflush(nil)
    }

    private static func description(of service: Service) -> String {
        let gateway = GatewayAdvertisement(instance: service.instance, txt: service.txt ?? TXTRecord())
        // Strangers choose these texts: they are cleaned before a person sees them.
        var parts = [DisplayText(gateway.name, limit: 40).text]
        if let bots = gateway.bots { parts.append("bots: \(bots)") }
        if let address = service.addresses.first, let port = service.port {
            parts.append("at \(Endpoint(address: address, port: port))")
        }
        if let fingerprint = gateway.fingerprint {
            parts.append("fp \(DisplayText(fingerprint.description, limit: 40))")
        }
        parts += gateway.problems.map(\.description)
        return parts.joined(separator: ", ")
    }
}
