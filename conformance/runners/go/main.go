// Plays conformance tests with the AWS SDK for Go and its own waiters. See ../../RUNNERS.md.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/smithy-go"
)

type task struct {
	ID, Suite, Waiter, Endpoint string
	Params                      json.RawMessage
	Options                     struct {
		MaxWait, MinDelay, MaxDelay float64
		CancelAt                    *float64
	}
}

type end struct {
	ID      string   `json:"id"`
	End     string   `json:"end"`
	Message string   `json:"message,omitempty"`
	Carries []string `json:"carries,omitempty"`
}

func seconds(number float64) time.Duration { return time.Duration(number * float64(time.Second)) }

func play(task task) (result end) {
	defer func() {
		if problem := recover(); problem != nil {
			result = end{End: "error", Message: fmt.Sprint("panic: ", problem)}
		}
	}()
	made := constructors[task.Suite]
	constructor := find(made, task.Waiter)
	if !constructor.IsValid() {
		return end{End: "unsupported", Message: "no such waiter"}
	}
	config := aws.Config{
		BaseEndpoint: &task.Endpoint,
		Credentials:  credentials.NewStaticCredentialsProvider("key", "secret", ""),
		Region:       "us-east-1",
		Retryer:      func() aws.Retryer { return aws.NopRetryer{} },
	}
	client := reflect.ValueOf(made[0]).Call([]reflect.Value{reflect.ValueOf(config)})[0]
	wait := constructor.Call([]reflect.Value{client})[0].MethodByName("WaitForOutput")
	input := reflect.New(wait.Type().In(1).Elem())
	if err := json.Unmarshal(task.Params, input.Interface()); err != nil {
		return end{End: "unsupported", Message: err.Error()}
	}
	delays := reflect.MakeFunc(wait.Type().In(3).Elem(), func(arguments []reflect.Value) []reflect.Value {
		options := arguments[0].Elem()
		options.FieldByName("MinDelay").SetInt(int64(seconds(task.Options.MinDelay)))
		options.FieldByName("MaxDelay").SetInt(int64(seconds(task.Options.MaxDelay)))
		return nil
	})
	caller, cancel := context.WithCancel(context.Background())
	defer cancel()
	if at := task.Options.CancelAt; at != nil && *at == 0 {
		cancel()
	} else if at != nil {
		time.AfterFunc(seconds(*at), cancel)
	}
	longest := reflect.ValueOf(seconds(task.Options.MaxWait))
	results := wait.Call([]reflect.Value{reflect.ValueOf(caller), input, longest, delays})
	err, _ := results[1].Interface().(error)
	if err == nil {
		return end{End: "success", Carries: []string{"lastOutput"}}
	}
	return classify(caller, err)
}

func find(made []any, waiter string) reflect.Value {
	for _, constructor := range made {
		name := runtime.FuncForPC(reflect.ValueOf(constructor).Pointer()).Name()
		if strings.HasSuffix(name, ".New"+waiter+"Waiter") {
			return reflect.ValueOf(constructor)
		}
	}
	return reflect.Value{}
}

func classify(caller context.Context, err error) end {
	var service smithy.APIError
	switch message := err.Error(); {
	case caller.Err() != nil:
		return end{End: "cancelled", Message: message}
	case strings.HasPrefix(message, "exceeded max wait time"), errors.Is(err, context.DeadlineExceeded):
		return end{End: "timeout", Message: message}
	case errors.As(err, &service):
		return end{End: "failure", Message: message, Carries: []string{"lastError"}}
	case message == "waiter state transitioned to Failure":
		return end{End: "failure", Message: message}
	default:
		return end{End: "error", Message: message}
	}
}

func version() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "github.com/aws/aws-sdk-go-v2" {
			return module.Version
		}
	}
	return "?"
}

func main() {
	suites := slices.Sorted(maps.Keys(constructors))
	lines := json.NewEncoder(os.Stdout)
	lines.Encode(map[string]any{
		"sdk": "AWS SDK for Go v2", "version": version(), "contract": "smithy", "suites": suites,
		"behaviours": "acm.CertificateValidated", "parallel": 32,
	})
	var lock sync.Mutex
	var tasks sync.WaitGroup
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		var task task
		if err := json.Unmarshal(scanner.Bytes(), &task); err != nil {
			panic(err)
		}
		tasks.Go(func() {
			result := play(task)
			result.ID = task.ID
			lock.Lock()
			defer lock.Unlock()
			lines.Encode(result)
		})
	}
	tasks.Wait()
}
