import TestSupport
import Testing

/// A protection of the whole behaviour of ``ScanState`` against changes that are only meant to move code, to rename
/// something, or to make it faster: the questions to endpoints, their times, and the events for the map.
@Suite struct ScanTranscriptTests {
    /// The digests of the transcripts of random sequences of events, by their seeds, as they were when the behaviour
    /// was last changed on purpose.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0xF786_2973_9A2A_6B6B),
        (1, 0xAE94_7F79_6303_0962),
        (2, 0x898C_05D1_8C4A_40EB),
        (3, 0x97F9_1C50_0B0A_6FC6),
        (4, 0x7DCB_7EDC_16CF_00A1),
        (5, 0x6F97_6005_D181_2AD5),
        (6, 0x4148_1EEC_0B0F_57A8),
        (7, 0x3E16_FFE8_B07F_28EE),
        (8, 0xA759_F31A_0025_77C4),
        (9, 0xFF32_5132_B4BC_BA39),
        (10, 0xA02F_5117_9EFE_2140),
        (11, 0xA877_3F63_8410_D6FF),
        (12, 0x866F_6B7F_17D6_2239),
        (13, 0x7198_1EDF_DF19_140E),
        (14, 0xCDB0_FD98_0FC8_365D),
        (15, 0x1D44_8BE9_1D61_6588),
        (16, 0xBA1B_AC25_8FA8_D8B9),
        (17, 0xAD02_20DC_CC5B_3A49),
        (18, 0x3139_B999_911E_EA8D),
        (19, 0x9163_C120_5D92_82E2),
        (20, 0x271D_5681_B03F_7923),
        (21, 0xD373_2D02_D029_55FA),
        (22, 0x4AE5_AFC3_10D5_4782),
        (23, 0x53AF_B362_EA77_788B),
    ]

    @Test func theScannerDoesWhatItDid() {
        let differences = CourseTranscript.differences(from: Self.digests, name: "scan") {
            ScanTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
