package import Logging
package import Pairing
package import Scanning

extension PairingStore {
    /// Makes a coordinator that pairs and unpairs with this store.
    ///
    /// - Parameter version: The version of the program, which gateways receive.
    package func pairingCoordinator(
        _ constellation: Constellation?,
        version: String,
        _ logger: Logger?
    ) -> PairingCoordinator {
        let configuration = PairingConfiguration(version: version) { host in
            await HostAddresses.of(host, within: .seconds(5)) ?? []
        }
        return PairingCoordinator(
            store: self,
            constellation: constellation,
            configuration: configuration,
            logger: logger
        )
    }
}
