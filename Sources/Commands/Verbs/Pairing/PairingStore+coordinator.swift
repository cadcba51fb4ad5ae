internal import Constellation
internal import Logging
internal import Pairing
internal import PairingStore
internal import Scanning

extension PairingStore {
    /// Makes a coordinator that pairs and unpairs with this store.
    func pairingCoordinator(_ constellation: Constellation, _ logger: Logger?) -> PairingCoordinator {
        let configuration = PairingConfiguration(version: CommandLineTool.version) { host in
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
