import Agent
import Clawradar
import Crypto
import DNSMessages
import Foundation
import Logging
import NIO
import Reports

// Every public top-level type of the libraries, as a program writes it that has these imports beside ours: a name that
// one of them has too would be ambiguous in each of its files. `PublicNamesTests` compares the list with the sources.

let publicTypes: [Any.Type] = [
    // Advertising.
    GatewayAdvertiser.self, GatewayAdvertiserConfiguration.self, GatewayAdvertiserState.self,
    GatewayAdvertiserStates.self, AdvertisedFacts.self, LocalAddress.self, WithholdingReason.self,
    // Agent.
    Agent.self, AgentConfiguration.self, AgentError.self, AgentPart.self, AgentPartState.self, AgentPlace.self,
    AgentSettings.self, PartReporter.self, PartState.self,
    // Clawradar.
    EmbeddingLimits.self,
    // Connections.
    ConnectionEvent.self, ConnectionEvents.self, Connections.self, ConnectionsConfiguration.self,
    GatewaySession.self, SessionEnd.self, SessionEvents.self, SessionPath.self, SessionSnapshot.self,
    SessionState.self,
    // Constellation.
    BackendCondition.self, Bot.self, BotKey.self, BotMap.self, BotMapChange.self, BotMapEvent.self,
    BotMapLimits.self, BotMapProblem.self, BotState.self, Constellation.self, ConstellationChange.self,
    ConstellationSnapshot.self, ConstellationTopics.self, ConstellationUpdate.self, ConstellationUpdates.self,
    CurrentGateways.self, EndpointDemand.self, EndpointNotice.self, EndpointNotices.self, Gateway.self,
    GatewayAspect.self, GatewayCandidate.self, GatewayClassification.self, GatewayFlag.self, GatewayID.self,
    GatewayPath.self, GatewayProof.self, Liveness.self, Machine.self, MapUpdate.self, MapUpdates.self,
    PairedBot.self, Reach.self, SessionChange.self, SessionLoss.self, ShownSession.self, WaitingReason.self,
    // DNSMessages.
    DNSClass.self, DNSEncodedMessage.self, DNSFlags.self, DNSMessage.self, DNSMessageEncoder.self,
    DNSMessageError.self, DNSNameCompression.self, DNSOpcode.self, DNSQuestion.self, DNSReceivedMessage.self,
    DNSRecord.self, DNSRecordData.self, DNSRecordType.self, DNSResponseCode.self, DNSSection.self,
    DNSSectionCounts.self, NSECData.self, OPTData.self, SOAData.self, SRVData.self, TSIGData.self,
    // DNSSD.
    AddressFamily.self, Advertisement.self, AlreadyRunError.self, BackendActivity.self,
    BackendCapabilities.self, BackendError.self, BackendLosses.self, BackendStatus.self, BackendWarning.self,
    BrowseEvent.self, BrowseRequest.self, DNSSDError.self, DiscoveredService.self, DisplayText.self,
    DomainLabels.self, DomainName.self, Endpoint.self, IPAddress.self, IPv4Address.self, IPv6Address.self,
    LossReason.self, NetworkInterface.self, PublicationState.self, Resolution.self, ServerName.self,
    ServiceAspect.self, (any ServiceBackend).self, ServiceChange.self, ServiceInstance.self, ServicePath.self,
    ServiceType.self, Sighting.self, SightingSource.self, TXTRecord.self, TXTRecordProblem.self,
    TXTUpdates.self,
    // Discovery.
    Advertiser.self, BackendChoice.self, Backends.self, Browser.self, BrowserCondition.self,
    BrowserConfiguration.self, CurrentServices.self, ServiceChanges.self, SettleResult.self,
    // GatewayClient.
    ConnectionLimits.self, DeviceDescription.self, GatewayConnectionError.self, GatewayConversation.self,
    GatewayFrames.self, GatewayLoops.self, GatewayProbe.self, GatewayProbeConfiguration.self,
    GatewayProbeTarget.self, GatewayTransport.self, HTTPSignature.self, HeldConnectionEnd.self,
    LineConnection.self, LineEvent.self, LivenessCheck.self, LivenessCheckResult.self, ProbeHint.self,
    ProbeTransports.self, ReadinessCheck.self, SessionGrant.self, SessionRequest.self, WebSocketClose.self,
    WebSocketConnection.self, WebSocketEvent.self,
    // GatewayProtocol.
    AgentList.self, BotDescription.self, BotID.self, BotSelection.self, BridgeDevice.self, BridgeMessage.self,
    ClawlineGrant.self, ClawlineMessage.self, ClawlineRefusal.self, ClawlineSession.self, ConnectChallenge.self,
    DevicePairParams.self, DevicePairResult.self, DeviceUnpairParams.self, DiscoverPayload.self,
    ForeignAnswer.self, GatewayAdvertisement.self, GatewayAdvertisementProblem.self, GatewayAlias.self,
    GatewayDialect.self, GatewayEvent.self, GatewayFailure.self, GatewayFingerprint.self, GatewayFrame.self,
    GatewayIdentity.self, GatewayMessageError.self, GatewayProbePath.self, GatewayProbeReport.self,
    GatewayProbeStep.self, GatewayRequest.self, GatewayResponse.self, GatewayURL.self, GatewayVerdict.self,
    HealthReply.self, HelloOK.self, JSONLimits.self, JSONListReader.self, JSONNumber.self, JSONValue.self,
    JoinURL.self, LeafFingerprint.self, NoAnswer.self, OpenAgentsMessage.self, OpenClawConnect.self,
    OpenClawIdentification.self, OpenClawSignature.self, OptaplusConnect.self, ProbeOutcome.self,
    Readiness.self, Secret.self, SessionCredential.self, SessionRefusal.self, SetupCode.self, TLSHint.self,
    TargetRefusal.self, TargetRules.self,
    // Notices.
    NoticePolicy.self, NoticeSettings.self, NoticeSink.self, QuietHours.self,
    // Pairing.
    AcceptedIdentity.self, ApprovalPace.self, BotMigration.self, DeviceRights.self, OlderBot.self,
    OlderBotList.self, OutwardLink.self, PairingAnswer.self, PairingApproval.self, PairingConfiguration.self,
    PairingConflict.self, PairingConsent.self, PairingCoordinator.self, PairingDelay.self, PairingError.self,
    PairingInvitation.self, PairingLink.self, PairingOffer.self, PairingProof.self, PairingState.self,
    PairingTarget.self, SecretAnswer.self, SecretDecision.self, SecretQuestion.self, SecretRule.self,
    ShownCertificates.self, UnpairingResult.self,
    // PairingStore.
    BinReason.self, BinnedPairing.self, CredentialID.self, DeviceIdentity.self, HeldSession.self,
    LockHolder.self, NotedRefusal.self, PairingID.self, PairingStore.self, RandomID<Never>.self,
    SessionLock.self, SessionNote.self, StoreChanges.self, StoreError.self, StoreLimits.self,
    StoreLocation.self, StoredBot.self, StoredCredential.self, StoredPairing.self, StoredSecret.self,
    UnreadablePairing.self,
    // Reports.
    AliasesReport.self, AvahiLines.self, BinReport.self, BinnedPairingReport.self, BotAtGatewayReport.self,
    BotReport.self, ConstellationReport.self, CredentialReport.self, DeviceDocument.self, DeviceReport.self,
    GatewayChangeReport.self, GatewayFeed.self, GatewayPathReport.self, GatewayReport.self,
    (any JSONReport).self, NetworkSnapshot.self, OpenClawReport.self, OtherReport.self, PairedBotReport.self,
    PairedStatusReport.self, PairingDocument.self, PairingListReport.self, PairingReport.self, ProbeReport.self,
    RecordedEvent.self, RecordingHeader.self, RecordingProblem.self, ReportSchema.self, ScanReport.self,
    ServiceChangeReport.self, ServiceFeed.self, ServiceReport.self, ServiceScanReport.self, SessionFeed.self,
    SessionReport.self, StatusReport.self, Timestamp.self, TrustReport.self, WithdrawalReport.self,
    // Scanning.
    GatewayScanner.self, ManualGateway.self, ProbeAddress.self, ProbeAddressProblem.self, ScanProgress.self,
    ScannerConfiguration.self,
    // Trust.
    HomeNetwork.self, MoveReason.self, NetworkObservation.self, NetworkTunnel.self, PairedMarks.self,
    TailnetNode.self, TrustAttempt.self, TrustDecision.self, TrustPolicy.self, TrustRefusal.self,
    // UserSettings.
    AdvertisedGateway.self, ConfigurationError.self, ConfigurationProblem.self, PlainTrustSetting.self,
]
