// A Temporal server that keeps its data in a file of SQLite, as `temporaltest` starts one in memory.
//
// Arguments: the port and the file. The program prints "ready" when the server serves.
package main

import (
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	serverlog "go.temporal.io/server/common/log"
	"go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/common/testing/freeport"
	schema "go.temporal.io/server/schema/sqlite"
	"go.temporal.io/server/temporal"
)

const (
	host      = "127.0.0.1"
	clusterID = "active"
	namespace = "default"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: server <port> <file>")
	}
	port, err := strconv.Atoi(os.Args[1])
	check(err)
	server, err := create(port, os.Args[2])
	check(err)
	check(server.Start())
	fmt.Println("ready")
	<-temporal.InterruptCh()
	check(server.Stop())
}

func create(port int, file string) (temporal.Server, error) {
	settings := configuration(port, file)
	store := settings.Persistence.DataStores[sqlite.PluginName].SQL
	if _, err := os.Stat(file); os.IsNotExist(err) {
		if err := schema.SetupSchema(store); err != nil {
			return nil, err
		}
	}
	// The namespace stays if it exists.
	own, err := schema.NewNamespaceConfig(clusterID, namespace, false, nil)
	if err != nil {
		return nil, err
	}
	if err := schema.CreateNamespaces(store, own); err != nil {
		return nil, err
	}
	return temporal.NewServer(
		temporal.WithConfig(settings),
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithLogger(serverlog.NewNoopLogger()),
		temporal.WithDynamicConfigClient(dynamicconfig.StaticClient{
			dynamicconfig.ForceSearchAttributesCacheRefreshOnRead.Key(): true,
			// Timers are late by this time, which is a second by default.
			dynamicconfig.TimerProcessorMaxTimeShift.Key(): 20 * time.Millisecond,
		}),
	)
}

func configuration(port int, file string) *config.Config {
	address := fmt.Sprintf("%s:%d", host, port)
	settings := &config.Config{
		Persistence: config.Persistence{
			DefaultStore:     sqlite.PluginName,
			VisibilityStore:  sqlite.PluginName,
			NumHistoryShards: 1,
			DataStores: map[string]config.DataStore{sqlite.PluginName: {SQL: &config.SQL{
				PluginName:        sqlite.PluginName,
				DatabaseName:      file,
				ConnectAttributes: map[string]string{"mode": "rwc", "_journal_mode": "wal", "_synchronous": "normal"},
			}}},
		},
		ClusterMetadata: &cluster.Config{
			FailoverVersionIncrement: 10,
			MasterClusterName:        clusterID,
			CurrentClusterName:       clusterID,
			ClusterInformation: map[string]cluster.ClusterInformation{
				clusterID: {Enabled: true, InitialFailoverVersion: 1, RPCAddress: address},
			},
		},
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		PublicClient:        config.PublicClient{HostPort: address},
		Services:            map[string]config.Service{},
	}
	settings.Global.Membership = config.Membership{MaxJoinDuration: 30 * time.Second, BroadcastAddress: host}
	settings.Archival.History.State = config.ArchivalDisabled
	settings.Archival.Visibility.State = config.ArchivalDisabled
	settings.NamespaceDefaults.Archival.History.State = config.ArchivalDisabled
	settings.NamespaceDefaults.Archival.Visibility.State = config.ArchivalDisabled
	for _, name := range []string{"history", "matching", "worker"} {
		settings.Services[name] = service(freeport.MustGetFreePort())
	}
	settings.Services["frontend"] = service(port)
	return settings
}

func service(port int) config.Service {
	return config.Service{RPC: config.RPC{
		GRPCPort:        port,
		MembershipPort:  freeport.MustGetFreePort(),
		BindOnLocalHost: true,
	}}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
