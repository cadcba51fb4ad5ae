internal import Scanning

extension ScanProgress {
    /// `12 services, 9 of 12 asked, 7 gateways`.
    var text: String {
        let asked = targets == 0 ? "" : ", \(asked) of \(targets) asked"
        let putOff = putOff == 0 ? "" : ", \(putOff) put off"
        return "\(services == 1 ? "1 service" : "\(services) services")\(asked)\(putOff), "
            + (gateways == 1 ? "1 gateway" : "\(gateways) gateways")
    }
}
