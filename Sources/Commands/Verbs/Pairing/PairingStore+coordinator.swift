internal import Agent
internal import Console
internal import Logging
internal import Pairing
internal import Scanning

extension PairingStore {
    /// Makes a coordinator that pairs and unpairs with this store.
    func pairingCoordinator(_ constellation: Constellation?, _ logger: Logger?) -> PairingCoordinator {
        pairingCoordinator(constellation, version: CommandLineTool.version, logger)
    }
}
