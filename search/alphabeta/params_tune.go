// Code generated from params.go by tools/spsa; DO NOT EDIT.

//go:build tune

package alphabeta

const (
	maxPly            = 246
	maxDepth          = 128
	unit              = 1024
	tableCutoffRule50 = 90
)

var (
	aspirationDepth          = 4
	aspirationDelta          = 12
	aspirationSquare         = 11447
	aspirationLimit          = 600
	tableCutoffExpectedDepth = 5
	tableCutoffBonus         = 512
	evalHistoryFactor        = 8
	evalHistoryMax           = 900
	hindsightExtend          = 3
	hindsightReduce          = 90
	razorDepth               = 4
	razorBase                = 254
	razorFactor              = 117
	reverseFutilityDepth     = 5
	reverseFutilityFactor    = 36
	reverseFutilityWorsening = 17
	reverseFutilityReturn    = 3
	nullDepth                = 2
	nullMargin               = 80
	nullSlope                = 21
	nullBase                 = 4
	nullFactor               = 362
	nullEvalFactor           = 191
	nullEvalMax              = 4
	nullVerify               = 14
	probCutDepth             = 5
	probCutBase              = 117
	probCutImproving         = 63
	probCutReduction         = 4
	iirDepth                 = 7
	latePruningDepth         = 8
	latePruningBase          = 3
	captureFutilityDepth     = 7
	captureFutilityBase      = 204
	captureFutilityFactor    = 221
	captureFutilityHistory   = 87
	captureSEE               = -82
	captureSEEHistory        = 94
	historyPruningFactor     = -4254
	historyPly               = 3813
	futilityDepth            = 9
	futilityBase             = 48
	futilityFactor           = 113
	quietSEE                 = -26
	singularDepth            = 5
	singularTableDepth       = 3
	singularFactor           = 1109
	singularTablePV          = 554
	singularDoubleMargin     = 14
	singularTripleMargin     = 96
	negativeExtension        = -2
	lmrScale                 = 1514
	lmrBase                  = 722
	lmrNotImproving          = 543
	lmrPV                    = 606
	lmrTablePV               = 1049
	lmrTableAbove            = 420
	lmrTableDeep             = 623
	lmrCutNode               = 1824
	lmrNoTableMove           = 568
	lmrTableNoisy            = 643
	lmrCutoffs               = 578
	lmrCutoffCount           = 3
	lmrTableMove             = 1458
	lmrCorrection            = 13
	lmrHistory               = 97
	lmrNoisyHistory          = 83
	lmrDeeperMargin          = 27
	lmrShallowMargin         = 11
	lmrNullWindowStep        = 3
	alphaRaisedMin           = 2
	alphaRaisedMax           = 12
	bonusFactor              = 151
	bonusMax                 = 1492
	malusFactor              = 221
	malusMax                 = 1074
	bonusOffset              = 50
	bonusFailLow             = 617
	threatFactor             = 45
	captureFactor            = 13
	badCaptureFactor         = 41
	tablePVDepth             = 3
	correctionFactor         = 201
	correctionPawn           = 28
	correctionOther          = 29
	correctionMoves          = 37
	correctionMax            = 1024
	deltaMargin              = 133
	quiescenceMoveCount      = 3
	quiescenceSEE            = -28
)

func init() {
	parameters = []Parameter{
		{"aspirationDepth", 1, 8, &aspirationDepth},
		{"aspirationDelta", 3, 20, &aspirationDelta},
		{"aspirationSquare", 4000, 24000, &aspirationSquare},
		{"aspirationLimit", 1, 1200, &aspirationLimit},
		{"tableCutoffExpectedDepth", 1, 10, &tableCutoffExpectedDepth},
		{"tableCutoffBonus", 1, 1024, &tableCutoffBonus},
		{"evalHistoryFactor", 1, 16, &evalHistoryFactor},
		{"evalHistoryMax", 1, 1800, &evalHistoryMax},
		{"hindsightExtend", 1, 6, &hindsightExtend},
		{"hindsightReduce", 1, 180, &hindsightReduce},
		{"razorDepth", 1, 8, &razorDepth},
		{"razorBase", 1, 508, &razorBase},
		{"razorFactor", 1, 234, &razorFactor},
		{"reverseFutilityDepth", 1, 10, &reverseFutilityDepth},
		{"reverseFutilityFactor", 1, 72, &reverseFutilityFactor},
		{"reverseFutilityWorsening", 1, 34, &reverseFutilityWorsening},
		{"reverseFutilityReturn", 1, 6, &reverseFutilityReturn},
		{"nullDepth", 1, 4, &nullDepth},
		{"nullMargin", 1, 160, &nullMargin},
		{"nullSlope", 1, 42, &nullSlope},
		{"nullBase", 1, 8, &nullBase},
		{"nullFactor", 1, 724, &nullFactor},
		{"nullEvalFactor", 1, 382, &nullEvalFactor},
		{"nullEvalMax", 1, 8, &nullEvalMax},
		{"nullVerify", 1, 28, &nullVerify},
		{"probCutDepth", 4, 10, &probCutDepth},
		{"probCutBase", 1, 234, &probCutBase},
		{"probCutImproving", 1, 126, &probCutImproving},
		{"probCutReduction", 2, 5, &probCutReduction},
		{"iirDepth", 2, 8, &iirDepth},
		{"latePruningDepth", 1, 16, &latePruningDepth},
		{"latePruningBase", 1, 6, &latePruningBase},
		{"captureFutilityDepth", 1, 14, &captureFutilityDepth},
		{"captureFutilityBase", 1, 408, &captureFutilityBase},
		{"captureFutilityFactor", 1, 442, &captureFutilityFactor},
		{"captureFutilityHistory", 1, 174, &captureFutilityHistory},
		{"captureSEE", -164, -1, &captureSEE},
		{"captureSEEHistory", 1, 188, &captureSEEHistory},
		{"historyPruningFactor", -8508, -1, &historyPruningFactor},
		{"historyPly", 1, 7626, &historyPly},
		{"futilityDepth", 1, 18, &futilityDepth},
		{"futilityBase", 1, 96, &futilityBase},
		{"futilityFactor", 1, 226, &futilityFactor},
		{"quietSEE", -52, -1, &quietSEE},
		{"singularDepth", 4, 10, &singularDepth},
		{"singularTableDepth", 1, 6, &singularTableDepth},
		{"singularFactor", 1, 2218, &singularFactor},
		{"singularTablePV", 1, 1108, &singularTablePV},
		{"singularDoubleMargin", 1, 28, &singularDoubleMargin},
		{"singularTripleMargin", 1, 192, &singularTripleMargin},
		{"negativeExtension", -4, -1, &negativeExtension},
		{"lmrScale", 1, 3028, &lmrScale},
		{"lmrBase", -512, 1024, &lmrBase},
		{"lmrNotImproving", 1, 1086, &lmrNotImproving},
		{"lmrPV", 1, 1212, &lmrPV},
		{"lmrTablePV", 1, 2098, &lmrTablePV},
		{"lmrTableAbove", 1, 840, &lmrTableAbove},
		{"lmrTableDeep", 1, 1246, &lmrTableDeep},
		{"lmrCutNode", 1, 3648, &lmrCutNode},
		{"lmrNoTableMove", 1, 1136, &lmrNoTableMove},
		{"lmrTableNoisy", 1, 1286, &lmrTableNoisy},
		{"lmrCutoffs", 1, 1156, &lmrCutoffs},
		{"lmrCutoffCount", 1, 6, &lmrCutoffCount},
		{"lmrTableMove", 1, 2916, &lmrTableMove},
		{"lmrCorrection", 1, 26, &lmrCorrection},
		{"lmrHistory", 1, 194, &lmrHistory},
		{"lmrNoisyHistory", 1, 166, &lmrNoisyHistory},
		{"lmrDeeperMargin", 1, 54, &lmrDeeperMargin},
		{"lmrShallowMargin", 1, 22, &lmrShallowMargin},
		{"lmrNullWindowStep", 1, 6, &lmrNullWindowStep},
		{"alphaRaisedMin", 1, 4, &alphaRaisedMin},
		{"alphaRaisedMax", 1, 24, &alphaRaisedMax},
		{"bonusFactor", 1, 302, &bonusFactor},
		{"bonusMax", 1, 2984, &bonusMax},
		{"malusFactor", 1, 442, &malusFactor},
		{"malusMax", 1, 2148, &malusMax},
		{"bonusOffset", 1, 100, &bonusOffset},
		{"bonusFailLow", 1, 1234, &bonusFailLow},
		{"threatFactor", 1, 90, &threatFactor},
		{"captureFactor", 1, 26, &captureFactor},
		{"badCaptureFactor", 1, 82, &badCaptureFactor},
		{"tablePVDepth", 1, 6, &tablePVDepth},
		{"correctionFactor", 1, 402, &correctionFactor},
		{"correctionPawn", 1, 56, &correctionPawn},
		{"correctionOther", 1, 58, &correctionOther},
		{"correctionMoves", 1, 74, &correctionMoves},
		{"correctionMax", 1, 2048, &correctionMax},
		{"deltaMargin", 1, 266, &deltaMargin},
		{"quiescenceMoveCount", 1, 6, &quiescenceMoveCount},
		{"quiescenceSEE", -56, -1, &quiescenceSEE},
	}
}
