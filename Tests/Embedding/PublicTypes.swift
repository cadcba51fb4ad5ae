import Agent
import Clawradar
import Crypto
import Foundation
import Logging
import NIO

// Every public top-level type of the libraries, as a program writes it that has these imports beside ours: a name that
// one of them has too would be ambiguous in each of its files. `PublicNamesTests` compares the list with the sources.

let publicTypes: [Any.Type] = [
    // Advertising.
    GatewayAdvertiser.self, GatewayAdvertiserState.self,
    // Agent.
    Agent.self, AgentConfiguration.self, AgentError.self, AgentPartState.self, AgentSettings.self,
    // Clawradar.
    EmbeddingLimits.self,
    // Connections.
    ConnectionEvent.self, Connections.self, GatewaySession.self, SessionEnd.self, SessionSnapshot.self,
    // Constellation.
    Bot.self, BotMapChange.self, BotMapProblem.self, BotState.self, Constellation.self,
    ConstellationSnapshot.self, Gateway.self, GatewayAspect.self, GatewayClassification.self,
    GatewayFlag.self, GatewayID.self, GatewayPath.self, Liveness.self, MapUpdate.self,
    // DNSSD.
    BackendError.self, BackendStatus.self, DNSSDError.self, DiscoveredService.self, DisplayText.self,
    DomainName.self, Endpoint.self, ErrorCode<Never>.self, IPAddress.self, IPv4Address.self,
    IPv6Address.self, LossReason.self, PublicationState.self, ServiceAspect.self, ServiceChange.self,
    ServiceInstance.self, ServiceType.self, TXTRecord.self,
    // Discovery.
    Advertiser.self, BackendChoice.self, Browser.self,
    // GatewayProtocol.
    BotDescription.self, BotID.self, GatewayDialect.self, GatewayEvent.self, GatewayFailure.self,
    GatewayFingerprint.self, GatewayResponse.self, JSONNumber.self, JSONValue.self, LeafFingerprint.self,
    Secret.self,
    // Pairing.
    PairingAnswer.self, PairingApproval.self, PairingConsent.self, PairingCoordinator.self,
    PairingError.self, PairingOffer.self, PairingState.self, PairingTarget.self, SecretQuestion.self,
    UnpairingResult.self,
    // PairingStore.
    CredentialID.self, PairingID.self, PairingStore.self, RandomID<Never>.self, StoreError.self,
    StoreLocation.self, StoredBot.self, StoredCredential.self, StoredPairing.self,
    // Scanning.
    GatewayScanner.self, ProbeAddress.self,
    // Trust.
    PlainTrust.self,
]
