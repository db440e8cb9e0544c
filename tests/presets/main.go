// Prints objects of Kubernetes, each with the state that the code of kubectl or kstatus gives it, as lines of JSON.
// `go run . SEED COUNT` prints COUNT random objects for each preset, and the objects of kstatus's own tests.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/kubectl/pkg/polymorphichelpers"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
	"sigs.k8s.io/yaml"
)

type object = map[string]any

// A line of the output.
type verdict struct {
	Preset string `json:"preset"`
	Object object `json:"object"`
	State  string `json:"state"`
}

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: go run . SEED COUNT"))
	}
	seed, err := strconv.ParseInt(os.Args[1], 10, 64)
	fail(err)
	count, err := strconv.Atoi(os.Args[2])
	fail(err)
	out := json.NewEncoder(os.Stdout)
	random := generator{rand.New(rand.NewSource(seed))}
	for range count {
		fail(out.Encode(rolled("kubernetes/deployment", random.deployment(), &polymorphichelpers.DeploymentStatusViewer{})))
		fail(out.Encode(rolled("kubernetes/daemonset", random.daemonSet(), &polymorphichelpers.DaemonSetStatusViewer{})))
		fail(out.Encode(rolled("kubernetes/statefulset", random.statefulSet(), &polymorphichelpers.StatefulSetStatusViewer{})))
		fail(out.Encode(ready(random.resource())))
	}
	for _, specimen := range specimens() {
		fail(out.Encode(ready(specimen)))
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// rolled returns the state as `kubectl rollout status` ends: an error is a failure.
func rolled(preset string, object object, viewer polymorphichelpers.StatusViewer) verdict {
	_, done, err := viewer.Status(&unstructured.Unstructured{Object: object}, 0)
	switch {
	case err != nil:
		return verdict{preset, object, "failure"}
	case done:
		return verdict{preset, object, "success"}
	default:
		return verdict{preset, object, "retry"}
	}
}

// ready returns the state by kstatus, with the deviations of docs/presets.md.
func ready(object object) verdict {
	state := &unstructured.Unstructured{Object: object}
	result, err := status.Compute(state)
	fail(err)
	is := "retry"
	switch {
	// Kinds with other rules are refused.
	case status.GetLegacyConditionsFn(state) != nil:
		is = "failure"
	case result.Status == status.FailedStatus, result.Status == status.TerminatingStatus:
		is = "failure"
	// Without the condition, kstatus says "Resource is current".
	case result.Status == status.CurrentStatus && result.Message == "Resource is Ready":
		is = "success"
	}
	return verdict{"kubernetes/ready", object, is}
}

type generator struct{ *rand.Rand }

// put sets a count. The API omits zeros.
func (g generator) put(in object, name string, most int64) {
	if value := g.Int63n(most + 1); value > 0 {
		in[name] = value
	}
}

func (g generator) of(values ...string) string {
	return values[g.Intn(len(values))]
}

// conditions returns up to three conditions. In a list of Kubernetes, types are unique; kstatus does not rely on it.
func (g generator) conditions(types ...string) []any {
	conditions := []any{}
	for range g.Intn(4) {
		conditions = append(conditions, object{
			"type": g.of(types...), "status": g.of("True", "True", "False", "Unknown", ""),
			"reason": g.of("ProgressDeadlineExceeded", "NewReplicaSetAvailable", "Other"), "message": "m",
		})
	}
	return conditions
}

func (g generator) workload(spec object, counts ...string) object {
	state := object{}
	for _, name := range counts {
		g.put(state, name, 3)
	}
	g.put(state, "observedGeneration", 3)
	if g.Intn(3) > 0 {
		state["observedGeneration"] = int64(3)
	}
	return object{"metadata": object{"name": "web", "generation": 1 + g.Int63n(3)}, "spec": spec, "status": state}
}

func (g generator) deployment() object {
	deployment := g.workload(object{"replicas": g.Int63n(4)}, "replicas", "updatedReplicas", "availableReplicas")
	if g.Intn(2) == 0 {
		deployment["status"].(object)["conditions"] = g.conditions("Progressing", "Available")
	}
	return deployment
}

func (g generator) daemonSet() object {
	strategy := object{"type": g.of("RollingUpdate", "RollingUpdate", "RollingUpdate", "OnDelete")}
	counts := []string{"desiredNumberScheduled", "updatedNumberScheduled", "numberAvailable"}
	return g.workload(object{"updateStrategy": strategy}, counts...)
}

func (g generator) statefulSet() object {
	strategy := object{"type": g.of("RollingUpdate", "RollingUpdate", "RollingUpdate", "OnDelete")}
	switch g.Intn(4) {
	case 0:
	case 1:
		strategy["rollingUpdate"] = object{}
	default:
		strategy["rollingUpdate"] = object{"partition": g.Int63n(5)}
	}
	set := g.workload(object{"replicas": g.Int63n(4), "updateStrategy": strategy}, "readyReplicas", "updatedReplicas")
	state := set["status"].(object)
	for _, name := range []string{"currentRevision", "updateRevision"} {
		if revision := g.of("", "web-1", "web-2"); revision != "" {
			state[name] = revision
		}
	}
	return set
}

// resource returns an object of a kind with or without rules of its own.
func (g generator) resource() object {
	kinds := [][2]string{
		{"example.com/v1", "Widget"}, {"example.com/v1", "Widget"}, {"serving.knative.dev/v1", "Service"}, {"v1", "Node"}, {"v1", "Service"},
		{"apps/v1", "Deployment"}, {"apps/v1", "ReplicaSet"}, {"policy/v1", "PodDisruptionBudget"}, {"batch/v1", "CronJob"}, {"batch/v1", "Job"},
	}
	kind := kinds[g.Intn(len(kinds))]
	metadata, state := object{"name": "web"}, object{}
	g.put(metadata, "generation", 2)
	g.put(state, "observedGeneration", 2)
	if g.Intn(10) == 0 {
		metadata["deletionTimestamp"] = "2026-01-01T00:00:00Z"
	}
	if g.Intn(8) > 0 {
		state["conditions"] = g.conditions("Ready", "Ready", "Reconciling", "Stalled", "Synced")
	}
	resource := object{"apiVersion": kind[0], "kind": kind[1], "metadata": metadata}
	if g.Intn(10) > 0 {
		resource["status"] = state
	}
	return resource
}

// specimens returns the objects of kstatus's own tests, which are YAML in the variables of a file.
func specimens() []object {
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/cli-utils").Output()
	fail(err)
	path := filepath.Join(strings.TrimSpace(string(folder)), "pkg/kstatus/status/status_compute_test.go")
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	fail(err)
	found := []object{}
	ast.Inspect(file, func(node ast.Node) bool {
		declared, is := node.(*ast.ValueSpec)
		if !is || len(declared.Values) != 1 {
			return true
		}
		if text, is := declared.Values[0].(*ast.BasicLit); is && text.Kind == token.STRING {
			source, err := strconv.Unquote(text.Value)
			fail(err)
			// The test inserts the present time into one.
			if strings.Contains(source, "%s") {
				return true
			}
			converted, err := yaml.YAMLToJSON([]byte(source))
			fail(err)
			specimen := &unstructured.Unstructured{}
			fail(specimen.UnmarshalJSON(converted))
			found = append(found, specimen.Object)
		}
		return true
	})
	if len(found) < 40 {
		fail(fmt.Errorf("%s has only %d objects", path, len(found)))
	}
	return found
}
