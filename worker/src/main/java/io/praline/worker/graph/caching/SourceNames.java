package io.praline.worker.graph.caching;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.RelativeNames;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.FoundSource;
import io.praline.worker.storage.glob.FileGlob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/** Which components of a source's elements may name files that steps open, so that a split's key can tell of those files. */
final class SourceNames {
    private final FoundSource.How how;
    private final NodeDef source;
    private final Scope scope;
    private final Set<Integer> found = new HashSet<>();
    private final List<List<String>> opened = new ArrayList<>();
    private boolean asTheyWere = true;

    SourceNames(Scope scope, FoundSource source) {
        this.scope = scope;
        this.how = source.how();
        this.source = scope.node(source.node());
    }

    /** A step was passed. */
    void pass(boolean madeOthers) {
        asTheyWere &= !madeOthers;
    }

    /** A step opens the files that these components name; false where a key cannot tell of them. */
    boolean open(Set<Integer> components) {
        for (int component : components) {
            if (!asTheyWere || !open(component)) {
                return false;
            }
        }
        return true;
    }

    private boolean open(int component) {
        if (how == FoundSource.How.NAMES) {
            return component == 0; // the split names them itself
        }
        if (how != FoundSource.How.SLICES || component >= source.getInputCount()) {
            return false;
        }
        Optional<TensorProto> constant = Constants.value(scope, source.getInput(component))
                .filter(tensor -> tensor.getDtype() == DataType.DT_STRING
                        && tensor.getTensorShape().getDimCount() == 1);
        if (constant.isEmpty()) {
            return false;
        }
        if (found.add(component)) {
            Optional<Path> directory = RelativeNames.directory(source).map(Path::of);
            opened.add(Constants.strings(constant.get()).stream()
                    .map(name -> directory
                            .filter(folder -> RelativeNames.isRelative(name))
                            .map(folder -> FileGlob.absolute(name, folder))
                            .orElse(name))
                    .toList());
        }
        return true;
    }

    /** Names in constants that were opened so far, a list for each component. */
    List<List<String>> opened() {
        return opened;
    }
}
