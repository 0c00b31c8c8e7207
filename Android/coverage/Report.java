import java.io.File;
import java.io.IOException;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.analysis.ISourceFileCoverage;
import org.jacoco.core.tools.ExecFileLoader;

/** Prints how much of the classes in a folder a run has seen: {@code Report RECORD CLASSES FLOOR}; 1 below so many percent of the lines. */
final class Report {
    private Report() {}

    public static void main(String[] arguments) throws IOException {
        ExecFileLoader record = new ExecFileLoader();
        record.load(new File(arguments[0]));
        CoverageBuilder all = new CoverageBuilder();
        new Analyzer(record.getExecutionDataStore(), all).analyzeAll(new File(arguments[1]));
        int hit = 0;
        int lines = 0;
        for (ISourceFileCoverage file : all.getSourceFiles()) {
            ICounter counter = file.getLineCounter();
            hit += counter.getCoveredCount();
            lines += counter.getTotalCount();
            if (counter.getMissedCount() == 0) continue;
            System.out.printf("%6.1f %% of %4d lines  %s:", 100 * counter.getCoveredRatio(), counter.getTotalCount(), file.getName());
            for (int line = file.getFirstLine(); line <= file.getLastLine(); line++) {
                if (file.getLine(line).getStatus() == ICounter.NOT_COVERED) System.out.print(" " + line);
            }
            System.out.println();
        }
        double percent = lines == 0 ? 0 : 100.0 * hit / lines;
        System.out.printf("coverage: %.1f %% of %d lines  Android/device%n", percent, lines);
        System.exit(percent < Double.parseDouble(arguments[2]) ? 1 : 0);
    }
}
