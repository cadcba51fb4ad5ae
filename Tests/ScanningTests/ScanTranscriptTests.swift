import TestSupport
import Testing

/// A protection of the whole behaviour of ``ScanState`` against changes that are only meant to move code, to rename
/// something, or to make it faster: the questions to endpoints, their times, and the events for the map.
@Suite struct ScanTranscriptTests {
    /// The digests of the transcripts of random sequences of events, by their seeds, as they were when the behaviour
    /// was last changed on purpose.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0x2EEF_B347_9584_7B8F),
        (1, 0xCC3F_15E9_1AE1_0079),
        (2, 0xE8CA_4359_F54A_031B),
        (3, 0xFADC_C96D_D644_1D46),
        (4, 0xDF5A_DB32_C796_A409),
        (5, 0x31CC_C597_9BDF_F96D),
        (6, 0x45A1_7A14_78C2_FDA8),
        (7, 0xBF19_6912_AA90_5196),
        (8, 0xB483_84B3_E209_A02A),
        (9, 0xD1A7_A244_1B4C_EFD3),
        (10, 0xF3BC_7858_E08D_16AE),
        (11, 0x0B44_A840_66A1_FDCF),
        (12, 0xF7C4_66D2_57F2_41A8),
        (13, 0x1AEE_FBED_2C33_D2AC),
        (14, 0xB38F_F4BC_5EDE_6CD8),
        (15, 0x444B_BD28_355A_8163),
        (16, 0xF2AE_A524_1BDF_DA45),
        (17, 0x5ED4_730D_86F8_F17F),
        (18, 0x1FA2_9521_517C_7D1E),
        (19, 0x398A_B7FD_DAD2_C101),
        (20, 0x5FAD_EEE8_CDD2_6663),
        (21, 0xA964_AA64_C018_38E6),
        (22, 0x4AE5_AFC3_10D5_4782),
        (23, 0x529E_9A42_AF7F_4C1B),
    ]

    @Test func theScannerDoesWhatItDid() {
        let differences = CourseTranscript.differences(from: Self.digests, name: "scan") {
            ScanTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
